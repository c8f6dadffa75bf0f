import { expect, test } from 'vitest'
import { inheritedNames } from './inherited.ts'

const offences = (text: string, path = 'functions/core/a.ts') =>
  inheritedNames([{ path, text }], {})

test.each([
  ['if (path in added) return', 'path in'],
  ['const has = !(network.name in container.networks)', 'name in'],
  ['return names.filter((name) => name in (service.networks ?? {}))', 'name in'],
  ['const known = paths[0] in tree', '0] in'],
  ['const own = project.services[name]', 'services[name]'],
  ['const own = project?.services[container.service]', 'services[container.service]'],
  ['const own = service.networks?.[key]?.aliases', 'networks[key]'],
  ['const image = images[imageOf(project, name)]', 'images[imageOf]'],
  ['const text = `value: ${labels[name] ?? 1}`', 'labels[name]'],
])('finds %s', (text, use) => {
  expect(offences(text)).toEqual([`functions/core/a.ts ${use}: may find an inherited property`])
  expect(offences(text, 'functions/core/a.test.ts')).toEqual([])
})

test.each([
  "if ('error' in answer) throw answer",
  'for (const name in record) go(name)',
  'type Flags = { [Name in keyof Ports]: string }',
  "const text = 'two rows in (the) table'",
  '// the services[name] in tree',
  'const found = /lookup (.*) in (?:tree)|port in use/.test(text)',
  'const own = ownEntry(project.services, name)',
  'const own = Object.hasOwn(services, name) ? services[name] : undefined',
  'const project = labels[label.project] ?? labels[installationLabel]',
  "const first = volumes['data']",
  'services[name] = changed',
])('accepts %s', (text) => {
  expect(offences(text)).toEqual([])
})

test('finds an exception that nothing needs', () => {
  const allowed = { 'cli/a.ts name in': 'why' }
  expect(inheritedNames([], allowed)).toEqual(['cli/a.ts name in: looks for no name'])
  expect(inheritedNames([{ path: 'cli/a.ts', text: 'name in given' }], allowed)).toEqual([])
})
