import { callRoute } from './call-route.ts'
import type { OurStack } from './stack.ts'

/**
 * Saves an overlay with numbers of containers, because a deploy takes none. Returns the fields of
 * the deploy.
 */
export async function saveScales(stack: OurStack, scales: [string, number][]) {
  const project = stack.project()
  const services = Object.fromEntries(
    scales.map(([name, count]) => {
      const said = project.services[name]?.deploy?.replicas !== undefined
      return [name, { scale: count, ...(said && { deploy: { replicas: count } }) }]
    }),
  )
  const overlays = { scale: JSON.stringify({ services }) }
  const { status, text } = await callRoute(stack, 'PUT /stacks/{name}', { body: { overlays } })
  if (status !== 200) throw new Error(text)
  return { environment: 'scale' }
}
