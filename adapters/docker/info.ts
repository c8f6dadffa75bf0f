import type { EngineInfo } from '../../functions/core/engine/engine.ts'
import { systemInfo } from './answer-shapes.ts'
import type { EngineClient } from './client.ts'
import type { EngineLists } from './lists.ts'

/** Milliseconds for which the facts about the machine are cached. */
const lifetime = 10_000

/**
 * Returns a reader of the facts about the Engine and its machine. The numbers of containers come
 * from the list.
 */
export function engineInfo(client: EngineClient, lists: EngineLists): () => Promise<EngineInfo> {
  let kept: { at: number; facts: Promise<Omit<EngineInfo, 'containers'>> } | undefined

  async function read() {
    const [system, apiVersion] = await Promise.all([
      client.json({ method: 'GET', path: '/info', shape: systemInfo }),
      client.apiVersion(),
    ])
    return {
      version: system.ServerVersion,
      apiVersion,
      os: system.OSType,
      arch: system.Architecture,
      cpus: system.NCPU,
      memory: system.MemTotal,
    }
  }

  return async () => {
    if (!kept || performance.now() - kept.at > lifetime) {
      const reading = { at: performance.now(), facts: read() }
      reading.facts.catch(() => {
        if (kept === reading) kept = undefined
      })
      kept = reading
    }
    const [facts, all, running] = await Promise.all([
      kept.facts,
      lists.containers(),
      lists.running(),
    ])
    return { ...facts, containers: { running: running.length, total: all.length } }
  }
}
