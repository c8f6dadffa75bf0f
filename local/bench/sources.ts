import { idleSources } from './idle-sources.ts'
import { buildService } from './service.ts'
import { sourceHooks } from './source-hooks.ts'
import { sourceTimes } from './source-times.ts'

const parts = { times: sourceTimes, idle: idleSources, hooks: sourceHooks }

/**
 * Measures git sources on the loopback interface: the time of a sync, what sources cost at rest,
 * and wrong requests to their hooks. `--part=times`, `--part=idle` and `--part=hooks` each run one
 * of these.
 */
export async function sourcesBench(): Promise<string> {
  const [, part] = /--part=(\S*)/.exec(process.argv.join(' ')) ?? []
  const chosen = Object.entries(parts).filter(([name]) => part === undefined || name === part)
  if (chosen.length === 0) {
    throw new Error(`unknown part ${part}: must be one of ${Object.keys(parts).join(', ')}`)
  }
  if (part !== undefined && process.argv.includes('--write')) {
    throw new Error('--write needs all parts: leave out --part')
  }
  buildService()
  const texts: string[] = []
  for (const [, measure] of chosen) texts.push(await measure())
  return texts.join('\n\n')
}
