import type { z } from 'zod'
import type { EngineInfo } from '../core/engine/engine.ts'
import type { Host as HostRecord } from '../core/hosts/ports.ts'
import type { Needs } from '../core/ports.ts'
import type { Host } from './schema.ts'

/** A host with what its Engine says of itself; one that does not answer is offline. */
export async function hostView(
  host: HostRecord,
  { engines }: Needs<'engines'>,
): Promise<z.input<typeof Host>> {
  const info = await engines
    .on(host.id)
    .then((engine) => engine.info())
    .catch(() => undefined)
  return {
    id: host.id,
    name: host.name,
    kind: host.kind,
    status: info ? 'online' : 'offline',
    tags: host.tags,
    engine: info ? engineView(info) : null,
    agent: null,
    containers: info ? info.containers : null,
  }
}

function engineView(info: EngineInfo) {
  const { version, apiVersion, os, arch, cpus, memory } = info
  return { version, api_version: apiVersion, os, arch, cpus, memory }
}
