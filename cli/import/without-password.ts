/** An address may have a user with a password or token, which no report shows. */
export const withoutPassword = (url: string): string => url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
