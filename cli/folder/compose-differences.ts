import { parseEnv } from 'node:util'
import type { ComposeFiles } from './compose-files.ts'

/**
 * Returns where a stack differs from docker compose in this directory: files that docker compose
 * uses by default and a stack does not. Each is a sentence with a remedy.
 */
export function composeDifferences({ main, overlays, env = '' }: ComposeFiles): string[] {
  const found: string[] = []
  const { override } = overlays
  if (override) {
    found.push(
      `docker compose always uses ${override.path}; a stack uses it only if it is deployed with --environment override.`,
    )
  }
  const composeFile = parseEnv(env).COMPOSE_FILE ?? ''
  if (composeFile !== '' && composeFile !== main.path) {
    found.push(
      `COMPOSE_FILE in .env is not used: ${main.path} is sent. Name another file with --file, and further ones with --overlay.`,
    )
  }
  return found
}
