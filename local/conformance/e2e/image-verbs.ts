import { dependencies } from '../../../functions/compose/plan/order.ts'
import { serviceVerb } from './lifecycle-verbs.ts'
import { type Output, together } from './output.ts'
import type { OurStack } from './stack.ts'
import type { ComposeWords } from './words.ts'

/** Builds the named services, or all that have a build. */
export async function build(stack: OurStack, { names, flags }: ComposeWords): Promise<Output> {
  const { services } = stack.project()
  const built = Object.keys(services).filter((name) => services[name]?.build)
  return buildEach(stack, names.length > 0 ? names : built, flags.has('--no-cache'))
}

/** Builds services and returns one line for each: `web Built`. */
export async function buildEach(
  stack: OurStack,
  names: readonly string[],
  noCache = false,
): Promise<Output> {
  const outputs: Output[] = []
  for (const service of names) {
    const output = await serviceVerb(stack, 'build', service, noCache ? { no_cache: true } : {})
    const line = output.code === 0 ? `${service} Built\n` : ''
    // The deployment's own line names the image instead of the service.
    const others = output.stderr.replace(/^.* Built\n/gm, '')
    outputs.push({ ...output, stderr: `${others}${line}` })
  }
  return together(outputs)
}

/** Returns a service and everything that it depends on, dependencies first. */
export function withDependencies(stack: OurStack, service: string): string[] {
  const { services } = stack.project()
  const found = new Set<string>()
  const visit = (name: string) => {
    const one = services[name]
    if (!one || found.has(name)) return
    for (const next of dependencies(one)) visit(next)
    found.add(name)
  }
  visit(service)
  return [...found]
}

/** Pulls the images of the named services, or of all. */
export async function pull(stack: OurStack, { names, flags }: ComposeWords): Promise<Output> {
  const outputs: Output[] = []
  for (const service of names.length > 0 ? names : Object.keys(stack.project().services)) {
    outputs.push(await serviceVerb(stack, 'pull', service))
  }
  const output = together(outputs)
  return flags.has('--ignore-pull-failures') ? { ...output, code: 0 } : output
}
