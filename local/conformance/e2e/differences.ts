/** Scenarios that fail because the service differs on purpose, and how. */
export const differences: Readonly<Record<string, string>> = {
  'e2e/TestCompatibility': 'names of containers have hyphens',
  // Beside `--build-arg`, which a file could say as well, it needs `up --no-recreate` with an
  // image that has changed.
  'e2e/TestScaleDownNoRecreate': 'a scale replaces outdated containers, and no deploy leaves them',
}
