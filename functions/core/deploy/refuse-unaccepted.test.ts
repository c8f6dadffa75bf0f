import { expect, test } from 'vitest'
import type { PreparedDeployment } from './prepared.ts'
import { refuseUnaccepted } from './refuse-unaccepted.ts'
import { plainOptions } from './request.ts'

const refuse = (more: object) =>
  refuseUnaccepted({
    beyondSavers: [{ name: 'volume:data', text: 'it is of another stack' }],
    request: { stack: { id: 'shop' }, kind: 'deploy', options: { ...plainOptions, ...more } },
  } as unknown as PreparedDeployment)

test('a deployment for a source names a way out that there is', () => {
  expect(() => refuse({})).toThrow('check them, and set accept_references to ["volume:data"]')
  const source = { source: 'shop', revision: 'r1', treeId: 'r1', trigger: 'look' }
  expect(() => refuse({ source })).toThrow('deploy the stack first, with accept_references set')
  expect(() => refuse({ source, acceptReferences: ['volume:data'] })).not.toThrow()
})
