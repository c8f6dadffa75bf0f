import { readFile } from 'node:fs/promises'

const before = '.setAttribute("style",'

/**
 * Returns the code of xterm with colours set through the CSSOM: the policy refuses style attributes
 * that are written as text, and the terminal would lose its RGB colours.
 *
 * @param {string} code
 * @throws unless there is exactly one such call, which a new version may change
 */
export function withoutStyleAttribute(code) {
  const pattern = /\.setAttribute\("style",((?:[^()]|\([^()]*\))*)\)/g
  const found = [...code.matchAll(pattern)]
  if (found.length !== 1 || code.split(before).length !== 2) {
    throw new Error(`xterm writes ${code.split(before).length - 1} style attributes, not one`)
  }
  return code.replace(pattern, '.style.cssText=($1)')
}

/** @type {import('esbuild').Plugin} */
export const mendXterm = {
  name: 'mend-xterm',
  setup(build) {
    build.onLoad({ filter: /@xterm\/xterm\/lib\/xterm\.mjs$/ }, async ({ path }) => ({
      contents: withoutStyleAttribute(await readFile(path, 'utf8')),
      loader: 'js',
    }))
  },
}
