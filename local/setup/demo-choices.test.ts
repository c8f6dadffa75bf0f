import { expect, test } from 'vitest'
import { demoChoices } from './demo-choices.mjs'

test('the usual demo', () => {
  expect(demoChoices({})).toEqual({
    port: '8080',
    agentPort: undefined,
    name: 'hello',
    pagePort: '8081',
    context: 'demo-8080',
  })
})

test('a second demo on another port shares nothing with the usual one', () => {
  const [first, second] = [demoChoices({}), demoChoices({ SERVICE_PORT: '8090' })]
  expect(second).toEqual({
    port: '8090',
    agentPort: '0',
    name: 'hello-8090',
    pagePort: '8091',
    context: 'demo-8090',
  })
  const shared = Object.values(first).filter((one) => Object.values(second).includes(one))
  expect(shared).toEqual([])
})

test('the environment chooses name and ports', () => {
  const env = { SERVICE_AGENT_PORT: '9443', DEMO_NAME: 'tour', DEMO_PAGE_PORT: '9000' }
  expect(demoChoices(env)).toMatchObject({ agentPort: '9443', name: 'tour', pagePort: '9000' })
})
