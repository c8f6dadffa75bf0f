import type { BackupRuns, RunQuery } from '../../functions/core/ports/backup-runs.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import { type BackupRun, isUnfinished } from '../../functions/core/records/backup-run.ts'
import { endOf, isMadeIn } from '../../functions/core/records/time-range.ts'
import { type Item, newRevision } from './item.ts'
import { openedValue, type SecretKeys, sealedValue } from './sealed.ts'
import { absent, type Table } from './table.ts'

/** Milliseconds. The age at which a row without its run is removed. */
const orphanAge = 30_000

/**
 * Stores a run as an encrypted item under its job (`backup-runs#<job>`, id). Rows refer to it:
 * (`backup-runs`, id) always, and (`backup-runs-running`, id) while it is unfinished. They are
 * written before the run and removed after it, so every list is complete. Rows without a run are
 * removed when a list finds them.
 */
export function storedBackupRuns(table: Table, clock: Clock, keys: SecretKeys): BackupRuns {
  const itemOf = (run: BackupRun): Item => {
    const place = { pk: partition(run.jobId), sk: run.id }
    const found = { host: run.hostId, fence: run.fence }
    return { ...place, rev: newRevision(), ...found, ...sealedValue(keys, place, run) }
  }
  const runOf = (item: Item) => openedValue<BackupRun>(keys, item)
  const behind = async (rows: Item[]) => {
    const places = rows.map((row) => ({ pk: partition(row.job as string), sk: row.sk }))
    const items = places.length > 0 ? await table.getMany(places) : []
    const found = new Map(items.map((item) => [item.sk, runOf(item)]))
    const over = rows.filter(
      ({ sk, at }) => !found.has(sk) && (at as number) + orphanAge <= clock.now(),
    )
    if (over.length > 0) await table.removeMany(over.map(({ pk, sk }) => ({ pk, sk })))
    return rows.flatMap(({ sk }) => found.get(sk) ?? [])
  }
  const listAll = async ({ hosts, where = () => true, limit, ...range }: RunQuery) => {
    const runs: BackupRun[] = []
    let after = endOf(range)
    const page = Math.min(pageSize, limit)
    while (runs.length < limit) {
      const rows = await table.query('backup-runs', { newestFirst: true, limit: page, after })
      const inRange = rows.filter(({ sk }) => isMadeIn(sk, range))
      const asked = inRange.filter(({ host }) => !hosts || hosts.includes(host as string))
      runs.push(...(await behind(asked)).filter(where))
      if (inRange.length < page) break
      after = rows.at(-1)?.sk
    }
    return runs.slice(0, limit)
  }
  return {
    async find(id) {
      const row = await table.get('backup-runs', id)
      const item = row && (await table.get(partition(row.job as string), id))
      return item && runOf(item)
    },
    async list(query) {
      const { jobId, hosts, where = () => true, limit, ...range } = query
      if (jobId === undefined) return listAll(query)
      const items = await table.query(partition(jobId), { newestFirst: true })
      const asked = items
        .filter(({ sk }) => isMadeIn(sk, range))
        .filter(({ host }) => !hosts || hosts.includes(host as string))
      const runs: BackupRun[] = []
      for (const item of asked) {
        if (runs.length === limit) break
        const run = runOf(item)
        if (where(run)) runs.push(run)
      }
      return runs
    },
    async create(run) {
      const row = { sk: run.id, job: run.jobId, host: run.hostId, at: clock.now() }
      await Promise.all([
        table.put({ pk: 'backup-runs', ...row }),
        isUnfinished(run) && table.put({ pk: 'backup-runs-running', ...row }),
      ])
      await table.put(itemOf(run), absent)
    },
    async save(run) {
      const saved = await table.put(itemOf(run), {
        if: 'attribute_exists(#pk) AND #fence <= :fence',
        values: { fence: run.fence },
      })
      if (saved && !isUnfinished(run)) {
        await table.remove({ pk: 'backup-runs-running', sk: run.id })
      }
      return saved
    },
    async listUnfinished() {
      const rows = await table.query('backup-runs-running')
      const runs = await behind(rows)
      const over = runs.filter((run) => !isUnfinished(run))
      await table.removeMany(over.map(({ id }) => ({ pk: 'backup-runs-running', sk: id })))
      return runs.filter(isUnfinished)
    },
    async remove(id) {
      const row = await table.get('backup-runs', id)
      if (!row) return
      await table.remove({ pk: partition(row.job as string), sk: id })
      await table.removeMany([
        { pk: 'backup-runs-running', sk: id },
        { pk: 'backup-runs', sk: id },
      ])
    },
  }
}

const pageSize = 50
const partition = (jobId: string) => `backup-runs#${jobId}`
