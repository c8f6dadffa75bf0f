import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * Returns the schema that the service checks compose files with. The editor completes by it, so
 * that both know the same attributes.
 *
 * @returns {Promise<object>}
 */
export async function composeSchema() {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('../../..', import.meta.url)),
    entryPoints: ['functions/compose/load/schema/compose.ts'],
    bundle: true,
    format: 'esm',
    write: false,
  })
  const code = outputFiles.map(({ text }) => text).join()
  const loaded = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return loaded.composeSchema
}
