import { afterAll, beforeAll, expect, test } from 'vitest'
import { askDocker } from '../../adapters/testing/docker.ts'
import { paced } from '../harness/pace.ts'
import { type Registry, startRegistry } from '../harness/registry.ts'
import { rowsOfRing } from '../harness/rings.ts'
import { unique } from '../harness/unique.ts'
import { type KilledUpdate, killUpdate, startService } from './kill-updates.ts'

type Kills = Pick<KilledUpdate, 'version' | 'kills'>

const ways: Kills[] = [
  { version: 'good', kills: ['checkpoint'] },
  { version: 'good', kills: ['deploy', 'replace'] },
  { version: 'bad later', kills: ['watch', 'fill'] },
  { version: 'bad', kills: ['replace', 'recovery'] },
  { version: 'bad', kills: ['redeploy'] },
]

/** Milliseconds for which a killed process keeps its leases. */
const leaseTime = 10_000

/** How often each way is tried with the second ring. */
const rounds = 10

/** The first round kills at once, and the later ones a while after the moment. */
const rows = Array.from({ length: rounds }, (_, round) =>
  ways.map((way): KilledUpdate & { round: number } => ({
    ...way,
    round,
    delay: round * 60,
    away: round % 2 === 0 ? leaseTime - 500 : 0,
  })),
).flat()

const prefix = unique('gone-back')
let registry: Registry

beforeAll(async () => {
  registry = await startRegistry()
})

afterAll(async () => {
  await registry.close()
  const all = await askDocker('images', '--format', '{{.Repository}}:{{.Tag}} {{.ID}}')
  const ids = all.split('\n').filter((line) => line.includes(`/team/${prefix}`))
  if (ids.length > 0)
    await askDocker('rmi', '--force', ...ids.map((line) => line.split(' ')[1] ?? ''))
})

const isFirst = ({ round, kills }: (typeof rows)[number]) => round === 0 && kills.includes('deploy')

test.concurrent.each(rowsOfRing(rows, isFirst))(
  'goes back with its data from a $version version, with kills at $kills and $delay ms later',
  { timeout: paced(300_000) },
  async (update) => {
    const service = await startService()
    const name = `${prefix}-${rows.indexOf(update)}x`
    try {
      expect(await killUpdate(name, update, service, registry)).toEqual([])
    } finally {
      await service.place.remove()
    }
  },
)
