import type { AttributeGroup } from '../../functions/compose/policy/attributes/attribute.ts'
import { sections } from '../../functions/compose/policy/attributes/table.ts'
import { fillTable } from '../fill-table.ts'

/** Returns a document with the generated table of all attributes of compose files in its place. */
export function withAttributeTable(document: string): string {
  return fillTable(document, 'attributes', attributeTable())
}

/** Returns the table of all attributes in Markdown, one part per section. */
export function attributeTable(): string {
  const parts = sections.map(({ title, at, groups }) => {
    const place = at === '' ? '' : ', below `services.*`'
    const head = '| attributes | what is derived | by | who may | test |\n|---|---|---|---|---|'
    return `**${title}**${place}\n\n${head}\n${groups.map(rowOf).join('\n')}`
  })
  return parts.join('\n\n')
}

function rowOf(group: AttributeGroup): string {
  const names = shortened(group.attributes).map((name) => `\`${name}\``)
  const cells = [names.join(', '), group.derived, group.by, whoMay(group), testsOf(group)]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function whoMay(group: AttributeGroup): string {
  switch (group.who) {
    case 'by value':
      return `anyone: ${group.values}; else \`stacks:privileged\``
    case 'privileged':
      return '`stacks:privileged`'
    case 'unsupported':
      return 'not supported: 422 for all'
    case 'no effect':
      return 'anyone: no effect'
    default:
      return 'anyone'
  }
}

const titles = {
  anyone: ['loads for anyone'],
  'no effect': ['loads for anyone'],
  privileged: ['403 without stacks:privileged'],
  'by value': ['loads for anyone', '403 without stacks:privileged'],
  unsupported: ['422 for all'],
}

/**
 * Returns the names of the row's tests: the samples of `attributes.test.ts`, then the tests that
 * the row names itself.
 */
const testsOf = ({ who, tests = [] }: AttributeGroup) => [...titles[who], ...tests].join('; ')

/** Groups the attributes of one mapping: `a.{b,c}`. */
function shortened(attributes: readonly string[]): string[] {
  const byParent = new Map<string, string[]>()
  for (const attribute of attributes) {
    const dot = attribute.lastIndexOf('.')
    const parent = attribute.slice(0, dot + 1)
    byParent.set(parent, [...(byParent.get(parent) ?? []), attribute.slice(dot + 1)])
  }
  return [...byParent].flatMap(([parent, names]) =>
    parent === '' ? names : [names.length === 1 ? `${parent}${names[0]}` : `${parent}{${names}}`],
  )
}
