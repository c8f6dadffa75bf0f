import { expect, test } from 'vitest'
import { everyPage } from './every-page.ts'

interface Row {
  id: number
  time: string
}

/** A service with rows of which it returns `size` at once, newest first. */
function serviceOf(rows: readonly Row[], size: number) {
  const asked: unknown[] = []
  return {
    asked,
    async raw(_method: string, _path: string, { query = {} }: { query?: object } = {}) {
      const { until } = query as { until?: string[] }
      asked.push(query)
      const found = rows.filter(({ time }) => !until?.[0] || time < until[0])
      const headers = { 'x-result-truncated': String(found.length > size) }
      return { status: 200, headers, text: JSON.stringify(found.slice(0, size)) }
    },
  }
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const rowsAt = (...seconds: number[]): Row[] =>
  seconds.map((second, id) => ({ id, time: at(second) }))

test('reads every part, and entries of one moment once', async () => {
  const rows = rowsAt(9, 8, 7, 7, 7, 5, 4)
  const service = serviceOf(rows, 4)
  expect(await everyPage(service, '/audit', { action: ['users'] })).toEqual(rows)
  expect(service.asked).toHaveLength(3)
  expect(service.asked[1]).toMatchObject({ action: ['users'] })
})

test.each(['before', 'after'] as const)(
  'follows the links of the service with %s, and keeps the query',
  async (name) => {
    const rows = rowsAt(3, 3, 3, 3, 3)
    const asked: object[] = []
    const raw = async (
      _method: string,
      _path: string,
      { query = {} }: { query?: { before?: string[]; after?: string[]; kind?: string[] } } = {},
    ) => {
      asked.push(query)
      const last = query[name]?.[0]
      const from = last === undefined ? 0 : rows.findIndex(({ id }) => id === Number(last)) + 1
      const part = rows.slice(from, from + 2)
      const isCut = from + 2 < rows.length
      const link = `<?kind=deploy&${name}=${part.at(-1)?.id}>; rel="next"`
      const headers = isCut ? { 'x-result-truncated': 'true', link } : {}
      return { status: 200, headers, text: JSON.stringify(part) }
    }
    expect(await everyPage({ raw }, '/audit', { kind: ['deploy'] })).toEqual(rows)
    expect(asked).toEqual([
      { kind: ['deploy'] },
      { kind: ['deploy'], [name]: ['1'] },
      { kind: ['deploy'], [name]: ['3'] },
    ])
  },
)

test('1: a link that leads to the same part', async () => {
  const headers = { 'x-result-truncated': 'true', link: '<?before=1>; rel="next"' }
  const raw = async () => ({ status: 200, headers, text: '[{"id": 1}]' })
  await expect(everyPage({ raw }, '/audit', {})).rejects.toThrow('the list does not end')
})

test('reads a short list once', async () => {
  const service = serviceOf(rowsAt(2, 1), 4)
  expect(await everyPage(service, '/audit', {})).toHaveLength(2)
  expect(service.asked).toHaveLength(1)
})

test('1: more entries of one moment than a part holds', async () => {
  const same = serviceOf(rowsAt(3, 3, 3, 3, 3), 2)
  await expect(everyPage(same, '/audit', {})).rejects.toThrow('the list does not end')
})

test('1: a truncated list without times', async () => {
  const raw = async () => ({ status: 200, headers: { 'x-result-truncated': 'true' }, text: '[1]' })
  await expect(everyPage({ raw }, '/users', {})).rejects.toThrow('has no times')
})
