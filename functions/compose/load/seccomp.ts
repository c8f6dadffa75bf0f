import { seccompFile } from '../create/security.ts'
import { joinPath } from '../paths.ts'
import type { Service } from '../service.ts'
import { findText, type StackFiles } from './stack-files.ts'

/**
 * Returns the seccomp profiles that services name and the stack contains: name → compact JSON, as
 * the Engine accepts it. Returns undefined if there are none. Missing or invalid profiles are left
 * out; the deploy refuses them.
 */
export function seccompProfiles(
  services: Record<string, Service>,
  files: StackFiles,
): Record<string, string> | undefined {
  const names = Object.values(services).flatMap(
    ({ security_opt }) => security_opt?.flatMap((option) => seccompFile(option) ?? []) ?? [],
  )
  const found = names.flatMap((name) => {
    const text = findText(files, joinPath(files.directory, name))
    const profile = text === undefined ? undefined : parseProfile(text)
    return profile === undefined ? [] : [[name, profile] as const]
  })
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

function parseProfile(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}
