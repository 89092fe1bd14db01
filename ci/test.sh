#!/usr/bin/env bash
# Sets up, builds with warnings as errors, runs every test, and ends with 'N passed, N failed[, N skipped]'.
# Arguments go to ctest: ci/test.sh -R oracle
source "$(dirname "$0")/common.sh"
stage set-up ci/setup.sh test scale
stage build ci/build.sh ci
rm -f build/junit.xml
# Runs one test more than there are cores, because some tests wait for processes that die or hang.
stage tests ctest --test-dir build -j "$(($(nproc) + 1))" --output-on-failure --output-junit junit.xml "$@" || true
cat build/build_times.txt
stages
python3 ci/count_tests.py build/junit.xml
