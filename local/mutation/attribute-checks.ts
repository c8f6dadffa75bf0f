import { type Mutation, mutation } from './mutation.ts'

const room = 'functions/compose/policy'
const rule = (name: string, file: string, text: string, without: string): Mutation =>
  mutation(name, `${room}/${file}`, text, without, [`${room}/attributes.test.ts`])

const option = (name: string, file: string, text: string, without: string): Mutation =>
  mutation(`options: ${name}`, `${room}/${file}`, text, without, [
    `${room}/attributes.test.ts`,
    `${room}/policy.test.ts`,
    `${room}/driver-options.test.ts`,
  ])

/**
 * Checks of the attribute values that callers without `stacks:privileged` may send to the Engine.
 */
export const checks: Mutation[] = [
  rule(
    'an unlisted attribute',
    'unlisted-reach.ts',
    "else yield { path: at, detail: 'an attribute that no rule allows' }",
    '',
  ),
  rule(
    'an attribute listed as privileged',
    'unlisted-reach.ts',
    "if (groups.rule?.who === 'privileged') yield",
    'if (false) yield',
  ),
  rule('kernel settings', 'limits-reach.ts', 'if (isNamespacedSysctl(key)) continue', 'continue'),
  rule(
    'ulimits that reach the host',
    'limits-reach.ts',
    'if (isAllowedLimit(name)) continue',
    'continue',
  ),
  rule(
    'ulimits that reach the host: builds',
    'policy.ts',
    "yield* ulimitsReach(service.build?.ulimits, [...path, 'build', 'ulimits'])",
    '',
  ),
  rule(
    'an OOM score that protects a container',
    'limits-reach.ts',
    'if ((service.oom_score_adj ?? 0) < 0) {',
    'if (false) {',
  ),
  rule(
    'device paths of I/O limits',
    'limits-reach.ts',
    'if (isDevicePath(path)) continue',
    'continue',
  ),
  rule('storage driver options', 'limits-reach.ts', "if (key === 'size') continue", 'continue'),
  option(
    'volumes that are binds, devices or shares',
    'resource-reach.ts',
    "if (key) yield { path: [...path, 'driver_opts', key], detail: `the volume option ${key}` }",
    '',
  ),
  option(
    'a volume type other than tmpfs',
    'driver-options.ts',
    "if (type !== 'tmpfs') return at",
    '',
  ),
  option('an unknown volume option', 'driver-options.ts', 'if (unknown) return unknown[0]', ''),
  option(
    'a bind in the mount options of tmpfs',
    'driver-options.ts',
    "return o.split(',').every((option) => memoryOption.test(option.trim())) ? undefined : at",
    'return undefined',
  ),
  option(
    'a volume driver other than local',
    'resource-reach.ts',
    "if (driver !== 'local') {",
    'if (false) {',
  ),
  option(
    'network driver options',
    'driver-options.ts',
    'Object.keys(options).filter((key) => !allowedNetworkOptions.has(key))',
    'Object.keys(options).filter(() => false)',
  ),
  option(
    'network driver options of a service',
    'driver-options.ts',
    'yield { path, detail: `the network option ${key}` }',
    '',
  ),
  option(
    'runtime annotations',
    'driver-options.ts',
    "yield { path: [...at, 'annotations', key], detail: `the annotation ${key}` }",
    '',
  ),
  rule(
    'an unlimited stop grace period',
    'limits-reach.ts',
    'if (grace > graceSecondsMax) {',
    'if (false) {',
  ),
  rule('an unknown mount type', 'mount-reach.ts', 'if (!allowedTypes.has(type)) {', 'if (false) {'),
  rule(
    'mount propagation',
    'mount-reach.ts',
    'if (propagation === undefined || allowedPropagations.has(propagation)) continue',
    'continue',
  ),
  rule('tmpfs options', 'mount-reach.ts', 'if (option === undefined) continue', 'continue'),
  rule(
    'values of log options',
    'log-reach.ts',
    'if (isAllowed?.(value)) continue',
    'if (isAllowed) continue',
  ),
  rule(
    'foreign subnets',
    'address-reach.ts',
    'if (subnet === undefined || isAllowedSubnet(subnet)) continue',
    'continue',
  ),
  rule(
    'address driver options',
    'address-reach.ts',
    "yield { path: [...at, 'ipam', 'options', key], detail: 'an option of an address driver' }",
    '',
  ),
  rule(
    'addresses other than link-local',
    'address-reach.ts',
    "if (ipaddr.isValid(address) && ipaddr.parse(address).range() === 'linkLocal') continue",
    'continue',
  ),
  rule(
    'security options that weaken the defaults of the Engine',
    'service-reach.ts',
    'no-new-privileges([=:]true)?|',
    'no-new-privileges([=:](true|false))?|',
  ),
  mutation(
    'a stack that its deployer may no longer deploy',
    'functions/core/stacks/policy-warnings.ts',
    "environment, reach: 'stack' }",
    "environment, reach: 'host' }",
    ['functions/stacks/check-policy'],
  ),
  mutation(
    'values of variables in warnings',
    'functions/core/stacks/policy-warnings.ts',
    'placeOf(error.message), contentRevision',
    'error.message, contentRevision',
    ['functions/stacks/check-policy'],
  ),
]
