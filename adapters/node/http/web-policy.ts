/**
 * The content security policy of the page. No script or style that is written into a page runs, and
 * no text becomes a script: the only policy of Trusted Types accepts the addresses of our workers.
 * The editor and the terminal write style sheets, which carry the nonce of the response. A page
 * connects to the service alone, and to its feeds if they have an address of their own.
 */
const policy = (nonce: string, feedsUrl: string | undefined) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    ["connect-src 'self'", ...(feedsUrl ? [new URL(feedsUrl).origin] : [])].join(' '),
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types own-worker',
  ].join('; ')

/**
 * Returns the headers of the page. The referrer policy is `same-origin` and not `no-referrer`,
 * because with the latter browsers send `Origin: null` with some requests.
 */
export function pageHeaders(
  requestId: string,
  nonce: string,
  feedsUrl?: string,
): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': policy(nonce, feedsUrl),
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}
