import { isScreenOpen } from '../../core/service/open-screens.ts'

/** Where a message leads: only to a screen of this console that the person may open, never to another site. */
export const linkOf = ({ link }: { link?: string }): string | undefined =>
  link && /^\/(?![/\\])/.test(link) && isScreenOpen(link) ? link : undefined
