import { expect, test } from 'vitest'
import { de } from '../../text/de.ts'
import { en } from '../../text/en.ts'
import { groups, isSize } from './settings-draft.ts'

const lists = ['stacks.shared_volumes', 'stacks.shared_networks', 'stacks.enterable_binds']
const names = Object.values(groups)
  .flat()
  .filter((name) => !lists.includes(name) && name !== 'registry.allow')
const unit = /number|minutes|hours|days|seconds|Anzahl|Minuten|Stunden|Tagen|Sekunden/i

test.each([
  ['English', en.settings],
  ['German', de.settings],
])('the label of each number names its unit in %s', (_, { names: texts, inMebibytes }) => {
  const labels = names.map((name) => (isSize(name) ? inMebibytes('') : texts[name][0]))
  expect(labels.filter((label) => !unit.test(label) && !label.includes('MiB'))).toEqual([])
})
