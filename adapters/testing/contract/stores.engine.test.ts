import { describe } from 'vitest'
import { dynamoWorld } from '../../../local/harness/dynamo-world.ts'
import { memoryPorts } from '../memory/stores.ts'
import { storesContract } from './stores.ts'
import type { NewWorld } from './world.ts'

const memoryWorld: NewWorld = async () => {
  const ports = memoryPorts()
  const stores = { ...ports, auditBlocks: ports.audit.blocks }
  return { clock: ports.clock, stores, peer: stores }
}

describe.each([
  ['memory', memoryWorld],
  ['DynamoDB', dynamoWorld],
])('stores in %s', (_name, newWorld) => storesContract(newWorld))
