/** Where a message leads: only to a screen of this console, never to another site. */
export const linkOf = ({ link }: { link?: string }): string | undefined => (link && /^\/(?![/\\])/.test(link) ? link : undefined)
