import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Writes the program `cli` into a directory, and returns the command that puts it on the path of a
 * shell. A file and no alias, so that shells can complete its words.
 *
 * @param {string} directory
 * @param {string} script the client that it runs with Node.js
 * @param {string | undefined} context the login that it uses, if that is not the usual one
 */
export function writeClientFile(directory, script, context) {
  const file = join(directory, 'cli')
  const login = context === undefined ? '' : `CLI_CONTEXT=${quoted(context)} `
  mkdirSync(directory, { recursive: true })
  writeFileSync(
    file,
    `#!/bin/sh\n${login}exec ${quoted(process.execPath)} ${quoted(script)} "$@"\n`,
  )
  chmodSync(file, 0o755)
  return `export PATH=${quoted(directory)}:"$PATH"`
}
