import { outputEnd } from '../../adapters/docker/build/output-end.ts'
import { knownMessage } from '../../adapters/docker/responses/engine-messages.ts'
import { envNeed } from '../../cli/adopt/env-need.ts'
import { dockerfileDials } from '../../functions/compose/build/dockerfile-dials.ts'
import { dockerfileImages } from '../../functions/compose/build/dockerfile-images.ts'
import { readDockerfile } from '../../functions/compose/build/read-dockerfile.ts'
import { sensitiveData } from '../../functions/compose/publish/sensitive-data.ts'
import { diffTexts } from '../../functions/core/diff/diff-texts.ts'
import { matchesGlob } from '../../functions/core/glob.ts'
import { checkShape } from '../../functions/core/stacks/tree-shape.ts'
import { median, ratio, short, sized, table, timed } from './numbers.ts'

const rounds = sized(9, 1)
const bytes = sized(250_000, 5_000)

const images = (text: string) => dockerfileImages(readDockerfile(text))
const dials = (text: string) => dockerfileDials(readDockerfile(text), {}, [])
const hidden = (text: string) => {
  const lines = Array.from({ length: 3000 }, (_, line) => `l${line}`).join('\n')
  const end = outputEnd([Buffer.from(lines.slice(0, 16_000))])
  end.add(text)
  return end.text()
}
const compared = (text: string) => {
  const side = (file: string) => ({ text: file, mode: '100644' })
  const after = text.split('\n').toReversed().join('\n')
  return diffTexts([{ path: 'a', before: side(text), after: side(after) }])
}
const shaped = (text: string) => {
  const paths = text.split('\n').map((path, at) => `${path}${at}`)
  return checkShape(new Map(paths.map((path) => [path, {}])), new Set(paths))
}

/** Readers of texts that anybody can write, and the part of which a text for them consists. */
const readers: [name: string, part: string, read: (text: string) => unknown][] = [
  ['variables in a compose file to adopt', '${', (text) => envNeed([text], '', false)],
  ['exports in an .env to adopt', ' export', (text) => envNeed(['$A'], text, false)],
  ['spaces in an .env to adopt', ' ', (text) => envNeed(['$A'], text, false)],
  ['begins of JSON Web Tokens', 'ey', sensitiveData],
  ['begins of private keys', '-----BEGIN PRIVATE KEY-----', sensitiveData],
  ['names of AWS keys', 'secret_access_key=', sensitiveData],
  ['spaces in a Dockerfile', ' ', (text) => images(`# a=b${text}c\nFROM a`)],
  ['here-documents in a Dockerfile', 'RUN <<A\nA\n', (text) => images(`FROM a\n${text}`)],
  ['flags in a Dockerfile', '--a ', (text) => images(`FROM ${text}`)],
  ['variables in a Dockerfile', '${A:-', (text) => images(`FROM ${text}`)],
  ['continued lines of a Dockerfile', 'FROM a \\\n', dials],
  ['triggers of a Dockerfile', 'ONBUILD ', dials],
  ['words in a message of the Engine', 'a ', (text) => knownMessage(`manifest for ${text}`)],
  ['secrets in the output of a build', 'l1 l2999', hidden],
  ['letters and a glob of sixty stars', 'a', (text) => matchesGlob(`${'*a'.repeat(60)}b`, text)],
  ['lines of a file of which all differ', 'a\nb\nc\n', compared],
  ['paths of two hundred directories', `${'a/'.repeat(200)}\n`, shaped],
]

/**
 * Measures each reader with a text and with one of twice the length, in turns. A reader whose work
 * grows with the square of the length takes four times as long for the second.
 */
export async function growthBench(): Promise<string> {
  const rows: string[][] = []
  for (const [name, part, read] of readers) {
    const text = part.repeat(Math.ceil(bytes / part.length))
    const [once, twice]: [number[], number[]] = [[], []]
    read(text)
    for (let round = 0; round < rounds; round += 1) {
      once.push(await timed(async () => read(text)))
      twice.push(await timed(async () => read(text + text)))
    }
    rows.push([name, short(median(once)), ratio(median(twice), median(once))])
  }
  return [
    `Texts of ${bytes / 1000} kB, and how much longer texts of twice the length take: medians of ${rounds} rounds in turns. About 2 means that the time grows with the length; 4 would be its square. Ratios of times below a millisecond say little.`,
    table(['many', 'ms', 'of twice the length'], rows),
  ].join('\n\n')
}
