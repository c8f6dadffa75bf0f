/**
 * Returns the value that the Compose tools give to a plain YAML scalar. Their parser follows
 * neither YAML 1.1 nor 1.2 exactly: leading zeros mean octal, digits may be separated by
 * underscores, `on` and `yes` are strings. Numbers that JavaScript cannot represent or distinguish
 * (2^64; `1e6`, which is not an integer) become the text that those tools print.
 */
export function resolvePlain(text: string): null | string | number | boolean {
  const word = words.get(text)
  if (word !== undefined) return word
  const first = text.charCodeAt(0)
  // Digits, signs and the decimal point.
  if (!((first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46)) return text
  const date = printDate(text)
  if (date !== undefined) return date
  // Longer texts are not valid numbers, and matching them is slow.
  if (text.length > numberLengthMax) return text
  const plain = text.replaceAll('_', '')
  const integer = integerForms.find(({ form }) => form.test(plain))
  if (integer) return parseInteger(plain, integer.radix) ?? text
  // A number that overflows is a string.
  if (floatForm.test(plain) && Number.isFinite(Number(plain))) return keepFloat(Number(plain))
  return text
}

/**
 * Formats a number as the Compose tools do where they need text: a float of a million is `1e+06`.
 */
export function printNumber(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : printFloat(value)
}

const numberLengthMax = 400

const words = new Map<string, null | boolean | string>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, '+Inf'] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, '-Inf'] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, 'NaN'] as const),
])

const integerForms = [
  { form: /^[-+]?0[xX][0-9a-fA-F]+$/, radix: 16 },
  { form: /^[-+]?0[bB][01]+$/, radix: 2 },
  { form: /^[-+]?0[oO][0-7]+$/, radix: 8 },
  { form: /^[-+]?0[0-7]+$/, radix: 8 },
  { form: /^[-+]?(0|[1-9][0-9]*)$/, radix: 10 },
]

const floatForm = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/

function parseInteger(text: string, radix: number): number | string | undefined {
  const negative = text.startsWith('-')
  const digits = text.replace(/^[-+]/, '').replace(/^0[xXbBoO]/, '')
  const prefix = { 16: '0x', 8: '0o', 2: '0b' }[radix] ?? ''
  const magnitude = BigInt(prefix + digits)
  const value = negative ? -magnitude : magnitude
  if (value > 0xffffffffffffffffn || value < -0x8000000000000000n) {
    return radix === 10 ? printFloat(Number(value)) : undefined
  }
  return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
}

function keepFloat(value: number): number | string {
  const printed = printFloat(value)
  return Number.isInteger(value) && printed !== String(value) ? printed : value
}

// The exponential form is used below 1e-4 and from 1e6 on, with at least two exponent digits.
function printFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  const [mantissa, exponentText] = value.toExponential().split('e') as [string, string]
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 6) return String(value)
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

const dateForm =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]|\s+)(\d{1,2}):(\d{1,2}):(\d{1,2})(\.\d+)?(Z|[-+]\d{2}:\d{2})?)?$/

function printDate(text: string): string | undefined {
  const parts = dateForm.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = parts
  const two = (part: string | undefined) => (part ?? '0').padStart(2, '0')
  const utc = new Date(
    `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}Z`,
  )
  if (Number.isNaN(utc.getTime()) || utc.getUTCDate() !== Number(day)) return undefined
  const offset =
    zone === undefined || zone === 'Z'
      ? '+0000 UTC'
      : `${zone.replace(':', '')} ${zone.replace(':', '')}`
  const parted = fraction.replace(/0+$/, '')
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}${parted === '.' ? '' : parted} ${offset}`
}
