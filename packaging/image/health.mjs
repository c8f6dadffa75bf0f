// The health check of the image. The agent listens on no port, so for it there is nothing to ask.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'

const isService = !readFileSync('/proc/1/cmdline', 'utf8').includes('agent')
const port = process.env.SERVICE_PORT || '8080'

if (isService) {
  const call = get({ port, path: '/api/v1/health', timeout: 20_000 }, ({ statusCode }) => {
    process.exit(statusCode === 200 ? 0 : 1)
  })
  call.once('timeout', () => process.exit(1))
  call.once('error', () => process.exit(1))
}
