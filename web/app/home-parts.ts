import type { ComponentType } from 'react'
import { HomeAgenda } from '../programme/home/home-agenda.tsx'
import { HomeLessons, HomeNotices, HomePublicty } from '../programme/home/home-lessons.tsx'
import { HomeTodos } from '../programme/home/home-todos.tsx'
import { HomeWarnings } from '../programme/home/home-warnings.tsx'
import { HomeActive } from './home-active.tsx'

/**
 * What stands on the first screen under the greeting, across its whole width: what is to be done, school figures and
 * the like.
 */
export const homeParts: ComponentType[] = [HomeTodos, HomeActive]
/** The cards below, side by side. Each shows nothing to somebody without the right to it. */
export const homeCards: ComponentType[] = [HomeAgenda, HomeLessons, HomeWarnings, HomePublicty, HomeNotices]
