import { logFailure } from '../log-failure.ts'
import type { Needs } from '../ports/ports.ts'
import type { NewAuditRow } from '../records/audit-row.ts'

/** Refusals of one kind that are stored as rows of their own between two flushes. */
const alikeMax = 10
/** Kinds that are counted separately beyond that. */
const kindsMax = 60

interface Gathered {
  rows: number
  /** The refusals that were only counted, as the latest of them. */
  more: NewAuditRow | undefined
}

/**
 * Records refused attempts without letting refused callers fill the store. Between two flushes the
 * first refusals get rows of their own. Further ones of the same kind (user, address, action) are
 * counted and stored as one row at the flush, and all others as one row in total. `add` never waits
 * and never fails; rows that cannot be stored are logged.
 *
 * @param rowsMax refusals of all kinds with rows of their own between two flushes
 */
export function gatherRefusals(
  append: (row: NewAuditRow) => Promise<void>,
  { log }: Needs<'log'>,
  rowsMax = 60,
): { add(row: NewAuditRow): void; written(): Promise<void>; flush(): Promise<void> } {
  let kinds = new Map<string, Gathered>()
  let rows = 0
  const underWay = new Set<Promise<void>>()

  const keep = (row: NewAuditRow) => {
    const one = append(row)
      .catch((error) =>
        logFailure(log, 'a refused attempt could not be recorded', { ...named(row), error }),
      )
      .finally(() => underWay.delete(one))
    underWay.add(one)
  }
  const add = (row: NewAuditRow) => {
    const apart = kinds.has(kindOf(row)) || kinds.size < kindsMax
    const kind = apart ? kindOf(row) : others
    const gathered = kinds.get(kind) ?? { rows: 0, more: undefined }
    kinds.set(kind, gathered)
    if (apart && gathered.rows < alikeMax && rows < rowsMax) {
      gathered.rows += 1
      rows += 1
      return keep(row)
    }
    const last = apart ? row : anyone(row)
    gathered.more = { ...last, count: (gathered.more?.count ?? 0) + row.count }
  }
  const written = async () => {
    await Promise.all(underWay)
  }
  return {
    add,
    written,
    flush() {
      const over = kinds
      kinds = new Map()
      rows = 0
      for (const { more } of over.values()) if (more) keep(more)
      return written()
    },
  }
}

const others = 'others'

const kindOf = ({ ip, userId, credential, action, status }: NewAuditRow) =>
  [ip, userId, credential?.id, action, status].join(' ')

/** Returns a row for refusals of different kinds, without the details in which they differ. */
const anyone = (row: NewAuditRow): NewAuditRow => ({
  ...row,
  action: 'refusals',
  status: null,
  actor: 'nobody',
  userId: null,
  username: null,
  credential: null,
  ip: null,
  userAgent: null,
  requestId: null,
  subject: null,
  hosts: [],
  fields: [],
  values: {},
})

const named = ({ action, status, ip, username, requestId }: NewAuditRow) => ({
  action,
  status,
  ip,
  user: username,
  request_id: requestId,
})
