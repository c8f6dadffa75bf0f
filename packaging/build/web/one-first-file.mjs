// esbuild makes a chunk for each set of entries that share modules. A lazy module that also imports
// the page's entry shares all of it, so that the first screen is one file and not thirty: they
// compress better together. The entry has run when a lazy component loads, and runs only once.
// Texts are left alone: the entry waits for them.
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * @param {string} entry path of the page's entry
 * @returns {import('esbuild').Plugin}
 */
export const oneFirstFile = (entry) => ({
  name: 'one-first-file',
  setup(build) {
    const lazy = new Set()
    build.onResolve({ filter: /^\..*\.tsx$/ }, ({ path, kind, resolveDir }) => {
      if (kind === 'dynamic-import') lazy.add(resolve(resolveDir, path))
      return undefined
    })
    build.onLoad({ filter: /\.tsx$/ }, async ({ path }) => {
      if (!lazy.has(path)) return undefined
      const contents = `${await readFile(path, 'utf8')}\nimport ${JSON.stringify(entry)}\n`
      return { contents, loader: 'tsx', resolveDir: dirname(path) }
    })
  },
})
