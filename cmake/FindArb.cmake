# Arb::Arb: rigorous ball arithmetic, which needs FLINT, MPFR and GMP (Debian: libflint-arb-dev, libflint-dev,
# libmpfr-dev). In FLINT 3 and later Arb is a part of FLINT.
find_path(Arb_INCLUDE_DIR arb.h PATH_SUFFIXES . flint)
find_path(Flint_INCLUDE_DIR flint/flint.h)
find_library(Arb_LIBRARY NAMES flint-arb arb flint)
find_library(Flint_LIBRARY flint)
find_library(Mpfr_LIBRARY mpfr)
find_library(Gmp_LIBRARY gmp)
mark_as_advanced(Arb_INCLUDE_DIR Flint_INCLUDE_DIR Arb_LIBRARY Flint_LIBRARY Mpfr_LIBRARY Gmp_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arb
  REQUIRED_VARS Arb_LIBRARY Flint_LIBRARY Mpfr_LIBRARY Gmp_LIBRARY Arb_INCLUDE_DIR Flint_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libflint-arb-dev, libflint-dev and libmpfr-dev (ci/setup.sh does)")
if(Arb_FOUND AND NOT TARGET Arb::Arb)
  add_library(Arb::Arb INTERFACE IMPORTED)
  # The target is imported, so that its headers count as system headers and raise no warnings.
  set_target_properties(Arb::Arb PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Arb_INCLUDE_DIR};${Flint_INCLUDE_DIR};${Flint_INCLUDE_DIR}/flint"
    INTERFACE_LINK_LIBRARIES "${Arb_LIBRARY};${Flint_LIBRARY};${Mpfr_LIBRARY};${Gmp_LIBRARY}")
endif()
