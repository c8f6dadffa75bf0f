import { pageEndpoint } from '../kit/page.ts'

export default pageEndpoint({
  summary: 'Read the agent program',
  description: 'One file for Node.js 20.19 or newer, of the same version as the service.',
  name: 'agent.mjs',
  produces: 'text/javascript',
})
