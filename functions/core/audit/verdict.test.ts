import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { memoryAnchor, memoryAuditBlocks } from '../../../adapters/testing/memory/audit.ts'
import { memoryClock } from '../../../adapters/testing/memory/clock.ts'
import { memoryLog } from '../../../adapters/testing/memory/log.ts'
import { memoryRandom } from '../../../adapters/testing/memory/random.ts'
import { present } from '../../../adapters/testing/present.ts'
import type { AuditBlock } from '../records/audit-chain.ts'
import { positionOf } from './block-text.ts'
import { openAudit } from './open.ts'
import { serviceRow } from './row.ts'

/** Twelve rows in blocks of 1, 4, 1, 4, 1 and 1, and ways to tamper with them. */
async function chain() {
  const clock = memoryClock()
  const blocks = memoryAuditBlocks()
  const keys = { current: 'k', keys: { k: new Uint8Array(32).fill(7) } }
  const anchor = memoryAnchor()
  const ports = { clock, random: memoryRandom(clock), log: memoryLog() }
  const open = (known = anchor) => openAudit({ blocks, keys, anchor: known }, ports)
  const audit = open()
  let made = 0
  const append = (to = audit) => {
    made += 1
    const [id, action] = [`row-${made}`, 'stacks.recover'] as const
    const at = clock.now()
    return to.append(serviceRow({ id, at, action, outcome: 'begun', subject: null }))
  }
  for (const size of [5, 5, 1, 1]) await Promise.all(Array.from({ length: size }, () => append()))
  const read = (first: number): AuditBlock =>
    JSON.parse(present(blocks.texts.get(positionOf(first))))
  const write = (first: number, block: unknown) =>
    blocks.texts.set(positionOf(first), typeof block === 'string' ? block : JSON.stringify(block))
  const change = (first: number, how: (block: AuditBlock) => void) => {
    const block = read(first)
    how(block)
    write(first, block)
  }
  const remove = (...firsts: number[]) => {
    for (const first of firsts) blocks.texts.delete(positionOf(first))
  }
  const problems = async (of = audit) =>
    (await of.verify()).problems.map(({ kind, from, to }) => `${kind} ${from}-${to}`)
  return { audit, append, anchor, blocks, read, write, change, remove, problems, open, ports }
}

test('accepts an unchanged log', async () => {
  const { audit, blocks } = await chain()
  expect([...blocks.texts.keys()].map(Number)).toEqual([1, 2, 6, 7, 11, 12])
  const verdict = await audit.verify()
  expect(verdict).toMatchObject({ ok: true, rows: 12, head: { seq: 12 }, problems: [] })
})

test.each([
  [
    'its action',
    (link: Json) => {
      link.row.action = 'stacks.deploy'
    },
  ],
  [
    'its time',
    (link: Json) => {
      link.row.at += 1
    },
  ],
  [
    'an additional field',
    (link: Json) => {
      link.row.extra = 1
    },
  ],
  [
    'the time used by lists',
    (link: Json) => {
      link.latest += 1
    },
  ],
  [
    'the link to the row before',
    (link: Json) => {
      link.prev = 'x'
    },
  ],
  [
    'its code',
    (link: Json) => {
      link.mac = 'x'
    },
  ],
  [
    'no code',
    (link: Json) => {
      delete link.mac
    },
  ],
])('reports a changed row: %s', async (_what, spoil) => {
  for (const [first, index] of [
    [1, 0],
    [2, 1],
    [2, 3],
    [12, 0],
  ] as const) {
    const { change, problems } = await chain()
    change(first, (block) => spoil(block.links[index]))
    expect(await problems()).toContain(`changed ${first + index}-${first + index}`)
    expect((await problems()).length).toBeLessThanOrEqual(2)
  }
})

test('reports a row by its ID', async () => {
  const { audit, change } = await chain()
  change(7, (block) => {
    present(block.links[2]).row = { ...present(block.links[2]).row, action: 'x' }
  })
  const [problem, ...more] = (await audit.verify()).problems
  expect(problem).toEqual({ kind: 'changed', from: 9, to: 9, id: 'row-9' })
  expect(more).toEqual([])
})

test('reports missing rows: in the middle, at the beginning, the newest, or all', async () => {
  const one = await chain()
  one.remove(6)
  expect(await one.problems()).toEqual(['missing 6-6'])
  const two = await chain()
  two.remove(1, 2)
  expect(await two.problems()).toEqual(['missing 1-5'])
  const three = await chain()
  three.remove(11, 12)
  expect(await three.problems()).toEqual(['missing 11-12'])
  const all = await chain()
  all.remove(1, 2, 6, 7, 11, 12)
  expect(await all.problems()).toEqual(['missing 1-12'])
  expect((await all.audit.verify()).head).toBeNull()
})

test('reports rows missing from a block', async () => {
  const { change, problems } = await chain()
  change(7, (block) => void block.links.splice(1, 2))
  expect(await problems()).toEqual(['missing 8-9'])
  change(2, (block) => void block.links.shift())
  expect(await problems()).toEqual(['missing 2-2', 'missing 8-9'])
})

test('reports an inserted row: forged in a block, as a block, at the end, or copied', async () => {
  const forged = { seq: 4, prev: 'x', mac: 'x', latest: 1, row: { id: 'forged' } } as Json
  const one = await chain()
  one.change(2, (block) => void block.links.splice(2, 0, forged))
  expect(await one.problems()).toEqual(['inserted 4-4'])
  const two = await chain()
  two.write(4, { key: 'k', links: [forged] })
  expect(await two.problems()).toEqual(['inserted 4-4'])
  const three = await chain()
  three.write(13, { key: 'k', links: [{ ...forged, seq: 13 }] })
  expect(await three.problems()).toEqual(['inserted 13-13'])
  const four = await chain()
  four.write(13, four.read(6))
  expect(await four.problems()).toEqual(['inserted 6-6'])
  const five = await chain()
  five.blocks.texts.set('zzz', 'anything')
  expect(await five.problems()).toEqual(['inserted 13-13'])
})

test('reports rows that were swapped', async () => {
  const { read, write, problems } = await chain()
  const [six, eleven] = [read(6), read(11)]
  write(6, eleven)
  write(11, six)
  const found = await problems()
  expect(found).toContain('missing 6-10')
  expect(found).toContain('inserted 6-6')
})

test('reports a block that cannot be parsed', async () => {
  for (const text of [
    '',
    'null',
    '{}',
    '{"links":[]}',
    '{"links":[null]}',
    '[',
    '{"links":[{}]}',
  ]) {
    const { write, problems } = await chain()
    write(6, text)
    expect(await problems(), text).toEqual(['changed 6-6'])
  }
})

test('rejects rows signed with an unknown key', async () => {
  const { change, problems } = await chain()
  change(6, (block) => {
    block.key = 'another'
  })
  expect(await problems()).toEqual(['changed 6-6'])
  change(6, (block) => {
    block.key = 'constructor'
  })
  expect(await problems()).toEqual(['changed 6-6'])
})

test('rows written after the newest were removed leave a gap in the numbers', async () => {
  const { remove, append, problems } = await chain()
  remove(11, 12)
  await append()
  expect(await problems()).toEqual(['missing 11-12'])
})

test('rows written by a new process leave the same gap', async () => {
  const { remove, append, problems, open } = await chain()
  remove(11, 12)
  await append(open())
  expect(await problems()).toEqual(['missing 11-12'])
})

test('a process detects that its rows were replaced by newer ones', async () => {
  const { append, remove, open, problems } = await chain()
  const [one, other] = [open(memoryAnchor()), open(memoryAnchor())]
  await append(one)
  await append(other)
  await append(other)
  remove(14, 15)
  // This process never saw the removed rows.
  await append(one)
  await append(one)
  await append(one)
  expect(await problems(one)).toEqual([])
  await append(other)
  expect(await problems(other)).toContain('replaced 15-15')
  await append(other)
  expect(await problems(other)).toContain('replaced 15-15')
})

test('a clock that goes back changes no order and hides no row from a list', async () => {
  const { audit, append, ports, problems } = await chain()
  const start = ports.clock.now()
  ports.clock.set(start + 60_000)
  await append()
  ports.clock.set(start - 3_600_000)
  await append()
  expect(await problems()).toEqual([])
  const ids = async (since: number) =>
    (await audit.list({ since, limit: 10 })).rows.map(({ id }) => id)
  // Row 14 was written later, so its time is not before that of row 13.
  expect(await ids(start + 30_000)).toEqual(['row-14', 'row-13'])
  expect((await ids(0)).slice(0, 3)).toEqual(['row-14', 'row-13', 'row-12'])
})

test('lists the rows before a time, and a change only with its end', async () => {
  const { audit, ports } = await chain()
  const now = ports.clock.now()
  const row = serviceRow({
    id: 'x',
    at: now,
    action: 'users.update',
    outcome: 'begun',
    subject: null,
  })
  await audit.append(row)
  await audit.append({ ...row, outcome: 'succeeded', at: now + 1000 })
  const ids = async (until: number) =>
    (await audit.list({ action: 'users', until, limit: 9 })).rows.map(({ id }) => id)
  expect(await ids(now + 1001)).toEqual(['x'])
  expect(await ids(now + 1000)).toEqual([])
})

test('lists a change once, with its outcome', async () => {
  const { audit, ports } = await chain()
  const row = serviceRow({
    id: 'x',
    at: 1,
    action: 'users.update',
    outcome: 'begun',
    subject: null,
  })
  await audit.append(row)
  expect((await audit.list({ action: 'users', limit: 9 })).rows).toMatchObject([
    { outcome: 'begun' },
  ])
  await audit.append({ ...row, outcome: 'succeeded', at: ports.clock.now() })
  const { rows, next } = await audit.list({ action: 'users.update', limit: 9 })
  expect(rows).toMatchObject([{ id: 'x', outcome: 'succeeded', seq: 14 }])
  expect(next).toBeUndefined()
  expect((await audit.list({ action: 'a.b.c', limit: 9 })).rows).toEqual([])
  expect(await audit.list({ limit: 12 })).toMatchObject({ next: expect.any(Number) })
})
