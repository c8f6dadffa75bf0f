import { basename, resolve } from 'node:path'

/** Returns the project name that docker compose derives from a directory. */
export const directoryName = (directory: string): string =>
  basename(resolve(directory))
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '')
