import { isPublicName } from './public-name.ts'

/**
 * Returns why a caller without `stacks:privileged` may not use a registry, or undefined if it is
 * allowed. `address` and the entries of `allowed` are in the form of `registryAddress` and must
 * match exactly, port included.
 */
export function registryProblem(address: string, allowed: readonly string[]): string | undefined {
  if (isPublicName(address) || allowed.includes(address)) return undefined
  return (
    `the registry ${JSON.stringify(address.slice(0, 140))} is neither a public DNS name, nor one with stored ` +
    'credentials, nor in the setting registry.allow'
  )
}
