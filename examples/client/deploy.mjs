// Saves a stack, deploys it and prints its services.
//
//   SERVER=http://localhost:8080 TOKEN=cst_… node deploy.mjs hello compose.yaml
import { readFile } from 'node:fs/promises'
import { connect, ServiceError, unwrap } from 'container-stacks-client'

const { SERVER = 'http://localhost:8080', TOKEN = '' } = process.env
const [name = 'hello', file = 'compose.yaml'] = process.argv.slice(2)
const { api, waitFor } = connect({ server: SERVER, token: TOKEN })
const params = { path: { name } }

try {
  const compose = await readFile(file, 'utf8')
  await unwrap(api.POST('/stacks', { body: { name, compose } }))
  const query = { wait: false }
  const request = { params: { ...params, query } }
  const deployment = await waitFor(await unwrap(api.POST('/stacks/{name}/deploy', request)))
  console.log(`${name}: ${deployment.error ?? deployment.status}`)
  const containers = await unwrap(api.GET('/stacks/{name}/status', { params }))
  for (const container of containers) console.log(`${container.name}: ${container.state}`)
} catch (error) {
  if (!(error instanceof ServiceError)) throw error
  console.error(`${name}: ${error.message}`)
  process.exitCode = 1
}
