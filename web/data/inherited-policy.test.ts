import { expect, test } from 'vitest'
import { resolvePolicies } from '../../functions/core/updates/policy-of.ts'
import { policyFieldsView } from '../../functions/kit/policy-fields.ts'
import { ofAllStacks, ofTag, preset, tagOf } from './inherited-policy.ts'

test('the policy that holds until one is saved is that of the service', () => {
  const { source, ...terms } = resolvePolicies([], [])({ hostId: 'local' })
  expect(source).toBe('none')
  expect(preset).toMatchObject(policyFieldsView(terms))
})

test('a policy is for the hosts with a tag, or for all stacks', () => {
  expect([ofTag('lab'), ofTag('default'), ofAllStacks].map(tagOf)).toEqual(['lab', 'default', null])
})
