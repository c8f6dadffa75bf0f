/** The form of a file that sops encrypted. `other`: one that is not read here. */
export type SopsForm = 'dotenv' | 'yaml' | 'other'

/** What every file that sops encrypted has in it. */
export const encryptedMark = 'ENC[AES256_GCM,'

/**
 * Returns in which form sops encrypted a file, or undefined if it did not. A text that only shows
 * such a file, as documentation does, is none: the name or the whole text has to fit too. YAML
 * always needs its name, so that no other file is parsed to find out.
 */
export function formOf(path: string, text: string): SopsForm | undefined {
  if (!text.includes(encryptedMark)) return undefined
  if (isJson(text) || isIni(path, text)) return 'other'
  if (/^sops_mac=/m.test(text) && (isEnvName(path) || isOfVariables(text))) return 'dotenv'
  const isYaml = isYamlName(path) && yamlMac.test(text) && /^["']?sops["']?:/m.test(text)
  return isYaml ? 'yaml' : undefined
}

const isYamlName = (path: string): boolean => /\.ya?ml$/i.test(path)

const yamlMac = /^ +["']?mac["']?: *["']?ENC\[AES256_GCM,/m

/** sops also puts files of an unknown form into JSON, as a whole. */
const isJson = (text: string): boolean =>
  /^\s*\{/.test(text) && /"sops"\s*:\s*\{/.test(text) && /"mac"\s*:\s*"ENC\[AES256_GCM,/.test(text)

const isIni = (path: string, text: string): boolean =>
  /\.ini$/i.test(path) && /^\[sops\]/m.test(text) && /^mac *= *ENC\[AES256_GCM,/m.test(text)

const isEnvName = (path: string): boolean => /(^|\/)(\.env(\.[^/]*)?|[^/]*\.env)$/i.test(path)

const isOfVariables = (text: string): boolean =>
  text.split('\n').every((line) => line === '' || line.startsWith('#') || line.includes('='))
