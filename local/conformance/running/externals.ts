import { engineCall } from '../../setup/engine-api.mjs'
import { engineGet, engineWrite, type Json } from './engine.ts'

/** Creates the external networks and volumes of a project that do not exist. */
export async function provideExternals(model: Json, undo: (() => unknown)[]): Promise<void> {
  for (const kind of ['networks', 'volumes'] as const) {
    for (const [key, { name = key, external }] of Object.entries<Json>(model[kind] ?? {})) {
      const path = `/${kind}/${encodeURIComponent(name)}`
      if (!external || (await engineGet(path))) continue
      undo.push(() => engineWrite('DELETE', path))
      const body = { Name: name, ...(kind === 'networks' && { Attachable: true }) }
      const options = { json: body, timeout: 30_000 }
      const { status, text } = await engineCall('POST', `/${kind}/create`, options)
      if (status !== 201) throw new Error(`${kind} ${name} cannot be made: ${text}`)
    }
  }
}
