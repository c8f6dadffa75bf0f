import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { settingVariable } from '../adapters/node/config/pinned-settings.ts'
import { variableFacts } from '../adapters/node/config/variables.ts'
import { present } from '../adapters/testing/present.ts'
import { reasonNames } from '../functions/core/errors.ts'
import { settingKeys } from '../functions/core/records/settings.ts'
import { feeds } from '../serverless.ts'
import { decisionOffences, limitOffences } from './documents/decisions.ts'
import { unknownErrorTexts } from './documents/error-texts.ts'
import { figures, wrongFigures } from './documents/figures.ts'
import { brokenLinks } from './documents/links.ts'
import { missingFiles } from './documents/named-files.ts'
import { allPages, type Page, pathExists } from './documents/pages.ts'
import { unknownCommands } from './documents/quoted-commands.ts'
import { longSentenceOffences, longSentencesMax, unclearBeginnings } from './documents/sentences.ts'
import { commandsUnder, linkCopies, sectionOf, shellBlocks } from './documents/shell-blocks.ts'
import { namedVariables, readVariables, variableOffences } from './documents/variables.ts'
import { withGenerated } from './reference/generated.ts'
import { pages as referencePages } from './reference/pages.ts'
import { sourcesUnder } from './rules/source.ts'

const pages = allPages()
const pageAt = (path: string) => present(pages.find((page) => page.path === path))
const planted = (text: string): Page => ({ path: 'docs/planted.md', text })

const programs = ['functions', 'adapters', 'cli', 'local']
  .flatMap((room) => sourcesUnder(room))
  .filter(
    ({ path }) =>
      !/\.test\.ts$|^local\/(harness|bench|scenarios|journeys|conformance|contract|documents)\//.test(
        path,
      ) && !/^local\/(test|ensure-built)\.mjs$/.test(path),
  )
const source = programs.map(({ text }) => text).join('\n')

const reference = referencePages.map((page) => ({ ...page, name: basename(page.path.pathname) }))

test.each(reference)('$name matches the code (update with npm run reference)', async (page) => {
  const text = readFileSync(page.path, 'utf8')
  expect(text).toBe(await page.fill(text))
})

test('rejects a page without the markers of a generated part', () => {
  expect(() => withGenerated('# Page', 'flags', 'x')).toThrow('<!-- flags -->')
})

test('every variable that a program reads is documented, and the reverse', () => {
  const tables = ['docs/reference/configuration.md', 'docs/reference/cli.md', 'docs/functions.md']
  const named = tables.flatMap((path) => [...namedVariables(pageAt(path))])
  const read = [
    ...readVariables(source),
    ...variableFacts().map(({ name }) => name),
    ...settingKeys.map(settingVariable),
  ]
  expect(variableOffences(new Set(named), new Set(read))).toEqual([])
})

test('finds a variable that is only read or only documented', () => {
  const named = namedVariables(planted('| `SERVICE_GONE` | x |\n| `PATH`, `CLI_TOKEN` | y |'))
  const read = readVariables('process.env.SERVICE_NEW ?? io.env.CLI_TOKEN')
  expect(variableOffences(named, read)).toEqual([
    'SERVICE_NEW is read and not documented',
    'SERVICE_GONE is documented and not read',
  ])
})

test('links lead to files and headings that exist', () => {
  expect(brokenLinks(pages, pathExists)).toEqual([])
})

test('finds a link to a missing file or heading', () => {
  const page = planted('# A `b` c\n[1](#a-b-c) [2](#a) [3](gone.md) [4](https://x.y)\n`[5](no.md)`')
  expect(brokenLinks([page], (path) => path === page.path)).toEqual([
    'docs/planted.md: #a',
    'docs/planted.md: gone.md',
  ])
})

test('the files that pages name exist', () => {
  expect(missingFiles(pages, pathExists)).toEqual([])
  const page = planted('`functions/core/errors.ts` `functions/core/gone.ts` `functions/<x>/y.ts`')
  expect(missingFiles([page], pathExists)).toEqual(['docs/planted.md: functions/core/gone.ts'])
})

test('the client’s commands in shell code exist, with their flags', async () => {
  expect(await unknownCommands(pages)).toEqual([])
})

test('finds an unknown command or flag', async () => {
  const page = planted('```sh\ncli stack frob x\ncli stacks list --al # --no\n```')
  expect(await unknownCommands([page])).toEqual([
    'docs/planted.md: cli stacks frob: no such command',
    'docs/planted.md: cli stacks list: no flag --al',
  ])
})

test('the error messages of the troubleshooting page occur in the code', () => {
  expect(unknownErrorTexts(pageAt('docs/troubleshooting.md'), source)).toEqual([])
})

test('the troubleshooting page explains every reason of a failure, and no other', () => {
  const { text } = pageAt('docs/troubleshooting.md')
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| /gm)].map(([, name]) => name)
  expect(rows).toEqual(reasonNames)
})

test('finds an error message that the code does not have', () => {
  const page = planted('### `stack …: it is gone`\n### `stack …: it is broken`\n')
  expect(unknownErrorTexts(page, 'throw x(`stack ${name}: ` +\n  `it is gone`)')).toEqual([
    'stack …: it is broken',
  ])
})

test('no command copies the link of the Debian package in place of its data', () => {
  expect(pages.flatMap(linkCopies)).toEqual([])
})

test('finds a command that copies that link', () => {
  const copies = ['cp -a /var/lib/container-stacks /root/x', 'tar -cf x /var/lib/container-stacks']
  const fine = ['cp -a /var/lib/container-stacks/. /root/x', 'cp /var/lib/container-stacks-agent x']
  const page = planted(`\`\`\`sh\n${[...copies, ...fine].join('\n')}\n\`\`\`\n`)
  expect(linkCopies(page)).toEqual(copies.map((line) => `docs/planted.md: ${line}`))
})

test('finds the shell code below a heading, without that of the next one', () => {
  const page = planted('# T\n## A\nx\n```sh\n# one\ntwo\n```\n### B\n```sh\nthree\n```\n')
  expect(shellBlocks(sectionOf(page, 'A'))).toEqual(['# one\ntwo\n'])
  expect(() => sectionOf(page, 'C')).toThrow('docs/planted.md: no heading "C"')
})

test('fills in the placeholders of a command, each of which needs a value', () => {
  const goBack = (values?: Record<string, string>) =>
    commandsUnder('docs/install-clone.md', 'Go back', values)
  const [first] = goBack({ older: '0.1.0', time: 't', data: '/d' })
  expect(first).toContain('git checkout v0.1.0\n')
  expect(() => goBack()).toThrow('there is no value for <older>')
})

test('sentences of guides begin with their subject', () => {
  expect(unclearBeginnings(pages)).toEqual([])
})

test('finds a sentence that begins with a clause or a pronoun', () => {
  const text =
    '- What a run left is removed. One that\n  failed is sent again.\n\nWhat now? One process.'
  expect(unclearBeginnings([planted(text)])).toEqual([
    'docs/planted.md: What a run left is removed.',
    'docs/planted.md: One that failed is sent again.',
  ])
})

test('guides get no more long sentences', () => {
  expect(longSentenceOffences(pages, longSentencesMax)).toEqual([])
})

test('finds a long sentence, in which code and a link count as a word each', () => {
  const words = (count: number) => `${Array(count).fill('Word').join(' ')}.`
  const text = `${words(25)} ${words(26)}\n- \`a b c\` [d](e) ${words(23)}\n\n| ${words(30)} |`
  const offence = 'docs/planted.md: 1 sentences of more than 25 words, not 0'
  expect(longSentenceOffences([planted(text)], {})).toEqual([offence])
  expect(longSentenceOffences([planted(text)], { 'docs/planted.md': 1 })).toEqual([])
})

test('numbers in prose are those of the code', async () => {
  expect(wrongFigures(pages, await figures())).toEqual([])
})

test('finds a number that is not that of the code', () => {
  const pages = [planted('There are\n8 attempts.')]
  const wanted = { 'docs/planted.md': ['are 8 attempts', 'are 9 attempts'] }
  expect(wrongFigures(pages, wanted)).toEqual(['docs/planted.md: must have "are 9 attempts"'])
})

test('the index of the documentation has every page', () => {
  const { text } = pageAt('docs/README.md')
  const names = pages.flatMap(({ path }) => /^docs\/((?!adr\/).+\.md)$/.exec(path)?.[1] ?? [])
  const missing = names.filter((name) => !text.includes(`(${name})`))
  expect(missing).toEqual(['README.md'])
})

test('the page of the API names every feed', () => {
  const { text } = pageAt('docs/reference/api.md')
  expect(Object.keys(feeds).filter((path) => !text.includes(`\`${path}\``))).toEqual([])
})

test('the page of the benchmarks lists the command of each of its tables', () => {
  const { text } = pageAt('docs/benchmarks.md')
  const made = [...text.matchAll(/^<!-- [a-z-]+: made by (.*) -->$/gm)].map(
    ([, command]) => command,
  )
  expect(made.length).toBeGreaterThan(10)
  expect(made.filter((command) => !text.includes(`| \`${command}\` |`))).toEqual([])
})

test('the words of the browser in the glossary are those of its texts', () => {
  const texts = readFileSync(new URL('../web/text/en.ts', import.meta.url), 'utf8')
  const [, table] = pageAt('docs/how-it-works.md').text.split('| in the browser |')
  const words = [...present(table).matchAll(/^\| [^|]+ \| ([A-Z][^|]*) \|/gm)].map(
    ([, word]) => word,
  )
  expect(words.length).toBeGreaterThan(5)
  expect(words.filter((word) => !texts.includes(`'${word}'`))).toEqual([])
})

const decisions = pages.filter(({ path }) => /^docs\/adr\/\d/.test(path))

test('every decision has a number, status, date and sections, and is in the index', () => {
  const index = pageAt('docs/adr/README.md').text
  expect(decisionOffences(decisions, index)).toEqual([])
})

test('finds a decision with a wrong number, a missing section or no entry in the index', () => {
  const text = '# 0002: X\n\nStatus: accepted, 2026-11-22\n\n## Context\n\n## Decision\n'
  expect(decisionOffences([{ path: 'docs/adr/0001-x.md', text }], '')).toEqual([
    'docs/adr/0001-x.md: its title does not begin with 0001',
    'docs/adr/0001-x.md: it has no "## Consequences"',
    'docs/adr/0001-x.md: it is not in the index',
  ])
})

test('the decisions stay few and short', () => {
  expect(limitOffences(decisions)).toEqual([])
})

test('finds a decision too many and one that is too long', () => {
  const page = (number: number, lines: number): Page => ({
    path: `docs/adr/00${number}-x.md`,
    text: 'x\n'.repeat(lines),
  })
  const many = Array.from({ length: 25 }, (_, index) => page(10 + index, 70))
  expect(limitOffences([...many, page(35, 71)])).toEqual([
    'docs/adr/0035-x.md: it has more than 70 lines',
    'docs/adr: there are more than 25 decisions',
  ])
})
