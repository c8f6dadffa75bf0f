import { createHash } from 'node:crypto'
import { account, stack } from '../../adapters/testing/contract/samples.ts'
import { present } from '../../adapters/testing/present.ts'
import { serviceRow } from '../../functions/core/audit/row.ts'
import { newRevision } from '../../functions/core/stacks/new-revision.ts'
import { readTexts, storeTexts } from '../../functions/core/stacks/texts.ts'
import type { OpenedStore } from './open-store.ts'

/** A kind of thing that the writing processes store in steps. Each step is a change of a user. */
export interface Kind {
  steps: number
  /** Does a step, from 1. Only one caller writes a thing. */
  write(id: string, step: number): Promise<void>
  /** Returns what the store has of a thing. */
  read(id: string): Promise<unknown>
  /** Returns what `read` returns after a step, or before the first one, 0. */
  after(id: string, step: number): unknown
  /** Removes a thing, so that it can be stored once more. Audit rows are never removed. */
  remove?(id: string): Promise<unknown>
}

/** A step that was done, or 0 for a thing that was begun: its kind, its ID and the step. */
export type Told = readonly [kind: string, id: string, step: number]

/** Returns the kinds of things by their name. */
export const kindsIn = (store: OpenedStore): Record<string, Kind> => ({
  account: accountsIn(store),
  stack: stacksIn(store),
  'audit row': auditRowsIn(store),
})

function check(done: unknown, what: string): void {
  if (!done) throw new Error(`the store refused ${what}`)
}

/** Accounts with the index of their names and identities: created, renamed and removed. */
function accountsIn({ accounts }: OpenedStore): Kind {
  const identityOf = (id: string) => ({ issuer: 'https://login.example.org', subject: id })
  const namesOf = (id: string) => [`${id}-one`, `${id}-two`] as const
  const created = (id: string) => ({ ...account(id, namesOf(id)[0]), identity: identityOf(id) })
  const renamed = (id: string) => ({ ...created(id), username: namesOf(id)[1] })
  return {
    steps: 3,
    async write(id, step) {
      if (step === 1) return check(await accounts.create(created(id)), `to create account ${id}`)
      if (step === 3) return check(await accounts.remove(id), `to remove account ${id}`)
      const found = present(await accounts.find(id), `account ${id}`)
      check(await accounts.replace({ ...found, ...renamed(id) }), `to rename account ${id}`)
    },
    async read(id) {
      const found = await accounts.find(id)
      const { revision: _, ...record } = found ?? { revision: 0 }
      const byName = namesOf(id).map(async (name) => (await accounts.findByUsername(name))?.id)
      return {
        record: found && record,
        byName: await Promise.all(byName),
        byIdentity: (await accounts.findByIdentity(identityOf(id)))?.id,
      }
    },
    after(id, step) {
      if (step === 1) return { record: created(id), byName: [id, undefined], byIdentity: id }
      if (step === 2) return { record: renamed(id), byName: [undefined, id], byIdentity: id }
      return { record: undefined, byName: [undefined, undefined], byIdentity: undefined }
    },
    remove: (id) => accounts.remove(id),
  }
}

/** Stacks with the texts of their revisions: created and changed twice. */
function stacksIn({ stacks, texts }: OpenedStore): Kind {
  const store = (compose: string) =>
    storeTexts({ compose, env: null, overlays: {}, tree: {} }, { texts })
  return {
    steps: 3,
    async write(id, step) {
      const files = await store(textOf(id, step))
      if (step === 1)
        return check(await stacks.create({ ...stack(id), files }), `to create stack ${id}`)
      const found = present(await stacks.find(id), `stack ${id}`)
      const changed = { ...found, ...newRevision(found, files) }
      check(await stacks.replace(changed), `to change stack ${id}`)
    },
    async read(id) {
      const found = await stacks.find(id)
      if (!found) return undefined
      const revisions = [found, ...(found.earlier ?? [])]
      const read = revisions.map(async ({ files }) => (await readTexts(files, { texts })).compose)
      return { revision: found.contentRevision, digests: (await Promise.all(read)).map(digestOf) }
    },
    after(id, step) {
      if (step === 0) return undefined
      const revisions = Array.from({ length: step }, (_, index) => step - index)
      const digests = revisions.map((revision) => digestOf(textOf(id, revision)))
      return { revision: step, digests }
    },
    remove: (id) => stacks.remove(id),
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Returns the text of a revision, which does not compress well. That of one stack in eight needs
 * two items of the store.
 */
function textOf(id: string, revision: number): string {
  const isLarge = revision === 2 && digestOf(id) < '2'
  const outputLength = isLarge ? 450_000 : revision * 1000
  return createHash('shake256', { outputLength }).update(`${id} ${revision}`).digest('base64')
}

/** Audit rows, each in the chain of all processes once. */
function auditRowsIn({ audit }: OpenedStore): Kind {
  let counts: Promise<Map<string, number>> | undefined
  const countAll = async () => {
    const found = new Map<string, number>()
    for (let last = 0; ; ) {
      const rows = await audit.exportAfter(last, Number.POSITIVE_INFINITY, 1000)
      for (const { row } of rows) found.set(row.id, (found.get(row.id) ?? 0) + 1)
      if (rows.length === 0) return found
      last = present(rows.at(-1)).seq
    }
  }
  return {
    steps: 1,
    write: (id) =>
      audit.append(
        serviceRow({ id, at: 1, action: 'stacks.deploy', outcome: 'succeeded', subject: null }),
      ),
    async read(id) {
      counts ??= countAll()
      return (await counts).get(id) ?? 0
    },
    after: (_, step) => step,
  }
}
