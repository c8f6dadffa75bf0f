import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The folder of a style sheet → its layer. Those of packages belong to the parts. */
const layers = { parts: 'parts', frame: 'frame', screens: 'screens', shell: 'frame' }

/** @type {(path: string) => string} */
function layerOf(path) {
  const folder = /^web\/(\w+)\//.exec(path)?.[1] ?? 'parts'
  return layers[/** @type {keyof typeof layers} */ (folder)] ?? 'parts'
}

/**
 * A style sheet that a module imports becomes a module which adopts it, in the layer of its folder.
 * So styles travel with their code: each is loaded once, with the first screen that needs it.
 *
 * @type {import('esbuild').Plugin}
 */
export const adoptStyles = {
  name: 'adopt-styles',
  setup(build) {
    build.onResolve({ filter: /\.css$/ }, async ({ path, kind, resolveDir, importer }) => {
      if (kind !== 'import-statement') return undefined
      const found = await build.resolve(path, { kind: 'import-rule', resolveDir, importer })
      // The names of assets depend on this path, so it does not name the folder of the clone.
      return { path: relative(root, found.path), errors: found.errors, namespace: 'adopt' }
    })
    build.onLoad({ filter: /\.css$/, namespace: 'adopt' }, async ({ path }) => {
      const file = join(root, path)
      const text = await readFile(file, 'utf8')
      const layered = `@layer ${layerOf(path)}{${text}}`
      const target = build.initialOptions.target
      const { code } = await transform(layered, { loader: 'css', minify: true, target })
      const contents = `const sheet=new CSSStyleSheet();sheet.replaceSync(${JSON.stringify(code.trim())});document.adoptedStyleSheets.push(sheet)`
      return { contents, loader: 'js', watchFiles: [file] }
    })
  },
}
