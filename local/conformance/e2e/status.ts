import { callRoute } from './call-route.ts'
import type { OurStack } from './stack.ts'

/** A container of a service, as the status of the stack has it. */
export interface StatusRow {
  service: string
  container_id: string | null
  name: string | null
  number: number | null
  state: string
  health: string | null
  image: string | null
  exit_code: number | null
}

/** Returns the status of a stack: of all of its services, or of some. */
export async function statusOf(
  stack: OurStack,
  services: readonly string[] = [],
): Promise<StatusRow[]> {
  const { json } = await callRoute(stack, 'GET /stacks/{name}/status')
  const rows = json as StatusRow[]
  return rows.filter(({ service }) => services.length === 0 || services.includes(service))
}
