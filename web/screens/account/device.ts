const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Returns the browser and the system that a `User-Agent` names, such as `Firefox · Linux`, or the
 * text itself if it is none of a browser.
 */
export function deviceOf(userAgent: string): string {
  if (!userAgent.startsWith('Mozilla/')) return userAgent
  const nameIn = (known: typeof browsers) => known.find(([form]) => form.test(userAgent))?.[1]
  const names = [nameIn(browsers), nameIn(systems)].filter((name) => name !== undefined)
  return names.join(' · ') || userAgent
}
