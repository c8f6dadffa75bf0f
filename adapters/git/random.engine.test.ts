import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { startGitServer } from '../../local/harness/git/https-server.ts'
import { filesOf, neverAborted, sourceLimits, testReader } from '../../local/harness/git/reader.ts'
import { environment, makeRepository } from '../../local/harness/git/repository.ts'
import fc from '../../local/harness/properties.ts'
import { hasSecondRing } from '../../local/harness/rings.ts'

/** `GIT_RANDOM_TREES=2000` tries more. */
const count = Number(process.env.GIT_RANDOM_TREES ?? (hasSecondRing ? 500 : 6))

const name = fc.constantFrom('a', 'b', 'ä', 'compose.yaml', '.env', 'x y', "q'", 'a"b', '-x', 'A')
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
const content = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }).map((text) => Buffer.from(text)),
  fc.string({ maxLength: 50 }).map((text) => ({ executable: text })),
  fc.constant({ link: 'gone' }),
)
const files = fc.dictionary(path, content, { maxKeys: 20 })

/** Returns the files without those that lie below another one. */
const consistent = <T>(all: Record<string, T>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(all).filter(
      ([one]) => !Object.keys(all).some((other) => one.startsWith(`${other}/`)),
    ),
  )

test(`reads ${count} random repositories as git cat-file does`, {
  timeout: 1_800_000,
}, async () => {
  const repository = makeRepository()
  const server = await startGitServer({ root: repository.root })
  const source = { url: server.url, ref: 'main', certificateAuthority: server.certificateAuthority }
  const reader = testReader()
  await fc.assert(
    fc.asyncProperty(files, fc.constantFrom('', 'a'), async (all, folder) => {
      const revision = repository.commit(consistent(all))
      expect(await reader.look(source, neverAborted())).toEqual({ revision })
      const wanted = { paths: [folder], limits: sourceLimits }
      const tree = await reader.open(source, revision, wanted, neverAborted())
      try {
        expect(await filesOf(tree, folder)).toEqual(expected(repository, revision, folder))
      } finally {
        await tree.close()
      }
    }),
    { numRuns: count },
  )
})

/** Returns what git itself says that a folder has. */
function expected(
  { bare, root }: { bare: string; root: string },
  revision: string,
  folder: string,
): Record<string, unknown> {
  const run = (words: string[], input = '') =>
    execFileSync('git', ['--git-dir', bare, ...words], { env: environment(root), input })
  const lines = run(['ls-tree', '-r', '-z', '--full-tree', revision]).toString().split('\0')
  const entries = lines.filter(Boolean).map((line) => {
    const [, mode = '', id = '', at = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? []
    return { mode, id, at }
  })
  let rest = run(['cat-file', '--batch'], entries.map(({ id }) => `${id}\n`).join(''))
  const found = entries.map(({ mode, at }) => {
    const start = rest.indexOf('\n') + 1
    const end = start + Number(rest.subarray(0, start).toString().split(' ')[2])
    const text = rest.subarray(start, end).toString()
    rest = rest.subarray(end + 1)
    return [at, mode === '120000' ? `-> ${text}` : [text, mode.slice(3)]] as const
  })
  const inside = folder === '' ? '' : `${folder}/`
  return Object.fromEntries(
    found
      .filter(([at]) => at.startsWith(inside) || at === folder)
      .map(([at, shown]) => [at === folder ? folder : at.slice(inside.length), shown]),
  )
}
