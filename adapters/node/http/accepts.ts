/** Returns whether an `Accept` header names `text/html`, as those of browsers do. */
export const acceptsHtml = (accept = ''): boolean => names(accept, 'text/html')

/** Returns whether an `Accept-Encoding` header names an encoding. */
export const acceptsEncoding = (header: string | string[] | undefined, encoding: string): boolean =>
  names(String(header ?? ''), encoding)

function names(header: string, wanted: string): boolean {
  return header.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return name === wanted && !parameters.some((one) => /^q=0(\.0*)?$/.test(one))
  })
}
