/**
 * Says what a project needs of its `.env`, or returns undefined if it needs nothing of it.
 *
 * @param composeTexts the compose files
 * @param envText the `.env` beside them
 * @param isEnvFile whether a service names it as an `env_file`
 */
export function envNeed(
  composeTexts: readonly string[],
  envText: string,
  isEnvFile: boolean,
): string | undefined {
  const compose = composeTexts.map((text) => text.replaceAll('$$', '')).join('\n')
  const set = new Set(Array.from(envText.matchAll(assignment), ([, name]) => name))
  const used = Array.from(compose.matchAll(reference), ([, name]) => name as string)
  const needed = [...new Set(used)].filter((name) => set.has(name)).sort()
  if (needed.length > 0) return `the compose file uses ${listed(needed)}, which .env sets`
  return isEnvFile ? 'the compose file names .env as an env_file' : undefined
}

const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*[=:]/gm
const reference = /\$\{?([A-Za-z_]\w*)/g
const shownMax = 5

const listed = (names: readonly string[]) =>
  names.length > shownMax
    ? `${names.slice(0, shownMax).join(', ')} and ${names.length - shownMax} more variables`
    : names.join(', ')
