import { printDocument } from '../compose/yaml/print-document.ts'
import { estateSections } from '../core/estate/plan-estate.ts'
import type { EstateForms, LeftOut } from './estate-forms.ts'

/** Returns an estate as a YAML document. Comments say which secrets it needs and what it lacks. */
export function estateText(name: string, { sections, secrets, leftOut }: EstateForms): string {
  const filled = estateSections.filter((section) => sections[section].length > 0)
  const content = Object.fromEntries(filled.map((section) => [section, sections[section]]))
  const head = [
    ...titled('secrets that this file refers to:', secrets),
    ...titled('left out:', leftOut.map(leftOutLine)),
  ]
  const comments = head.map((line) => `# ${line.replaceAll(/\p{Cc}/gu, '?')}\n`).join('')
  return comments + printDocument({ version: 1, name, ...content })
}

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]

const leftOutLine = ({ section, name, reason }: LeftOut) =>
  name === null ? `${section}: ${reason}` : `${section} ${name}: ${reason}`
