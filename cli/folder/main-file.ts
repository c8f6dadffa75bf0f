const names = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']

/**
 * Returns the name of a stack's compose file. An adopted stack keeps the name that its directory
 * uses.
 */
export const mainFileOf = (files: readonly { path: string }[]): string =>
  names.find((name) => files.some((file) => file.path === name)) ?? 'compose.yaml'
