import fc from '../../harness/properties.ts'

/** Random options that a plan and a deploy both take. Numbers choose services. */
export interface DrawnOptions {
  force_recreate?: boolean
  remove_orphans?: boolean
  start?: boolean
  all_resources?: boolean
  dependencies?: boolean
  pull?: 'missing' | 'always' | 'never'
  build?: 'missing' | 'always'
  timeout_seconds?: number
  profiles?: string[]
  environment?: string
  services?: number[]
  scale?: { at: number; replicas: number }
}

/** Most cases have few of the options. */
export const someOptions: fc.Arbitrary<DrawnOptions> = fc
  .record({
    force_recreate: fc.boolean(),
    remove_orphans: fc.boolean(),
    start: fc.boolean(),
    all_resources: fc.boolean(),
    dependencies: fc.boolean(),
    pull: fc.constantFrom('missing' as const, 'always' as const, 'never' as const),
    build: fc.constantFrom('missing' as const, 'always' as const),
    timeout_seconds: fc.nat(20),
    profiles: fc.subarray(['debug', 'tools'], { minLength: 1 }),
    environment: fc.constant('staging'),
    services: fc.array(fc.nat(9), { minLength: 1, maxLength: 2 }),
    scale: fc.record({ at: fc.nat(9), replicas: fc.nat(3) }),
  })
  .chain((all) =>
    fc
      .subarray(Object.keys(all) as (keyof typeof all)[], { maxLength: 3 })
      .map((keys) => Object.fromEntries(keys.map((key) => [key, all[key]]))),
  )

/** Returns the options as a request has them, with names of services for their numbers. */
export function optionsOf(
  { services, scale, dependencies, ...options }: DrawnOptions,
  names: readonly string[],
): Record<string, unknown> {
  const nameAt = (at: number) => names[at % names.length] ?? 'web'
  return {
    ...options,
    ...(services && { services: [...new Set(services.map(nameAt))] }),
    ...(services && dependencies !== undefined && { dependencies }),
    ...(scale && { scale: { [nameAt(scale.at)]: scale.replicas } }),
  }
}

/** Returns the options without those that make every deploy do something. */
export function lastingOptions(options: Record<string, unknown>): Record<string, unknown> {
  const { force_recreate: _, build: __, pull, ...lasting } = options
  return { ...lasting, ...(pull !== undefined && pull !== 'always' && { pull }) }
}
