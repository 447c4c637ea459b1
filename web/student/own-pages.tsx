import type { ComponentType } from 'react'

/** A page by its address. */
interface OwnPage {
  path: string
  /** Fetches the page when it is first opened. */
  lazy: () => Promise<{ Component: ComponentType }>
}

/** What stands around every page; the sign-in page does without it, so it is fetched for whoever has a session. */
export const loadFrame = () => import('./frame.tsx')

/** The pages about what a student has and is. */
export const ownPages: OwnPage[] = [
  {
    path: 'activities',
    lazy: () => import('./activities/activities.page.tsx').then((page) => ({ Component: page.ActivitiesPage })),
  },
  {
    path: 'activities/:liId',
    lazy: () => import('./activities/activity.page.tsx').then((page) => ({ Component: page.ActivityPage })),
  },
  {
    path: 'activities/:liId/team',
    lazy: () => import('./activities/team.page.tsx').then((page) => ({ Component: page.TeamPage })),
  },
  {
    path: 'calendar',
    lazy: () => import('./calendar/calendar.page.tsx').then((page) => ({ Component: page.CalendarPage })),
  },
  {
    path: 'calendar/feed',
    lazy: () => import('./calendar/feed.page.tsx').then((page) => ({ Component: page.FeedPage })),
  },
  { path: 'sign', lazy: () => import('./signing/sign.page.tsx').then((page) => ({ Component: page.SignPage })) },
  {
    path: 'sign/code',
    lazy: () => import('./signing/my-code.page.tsx').then((page) => ({ Component: page.MyCodePage })),
  },
  {
    path: 'signing',
    lazy: () => import('./signing/managed.page.tsx').then((page) => ({ Component: page.ManagedPage })),
  },
  {
    path: 'signing/:liId',
    lazy: () => import('./signing/managed.page.tsx').then((page) => ({ Component: page.ManagedActivityPage })),
  },
  {
    path: 'record',
    lazy: () => import('./record/record.page.tsx').then((page) => ({ Component: page.RecordPage })),
  },
  {
    path: 'record/entries',
    lazy: () => import('./record/entries.page.tsx').then((page) => ({ Component: page.EntriesPage })),
  },
  {
    path: 'credibility',
    lazy: () => import('./record/credibility.page.tsx').then((page) => ({ Component: page.CredibilityPage })),
  },
  {
    path: 'transcript',
    lazy: () => import('./record/transcript.page.tsx').then((page) => ({ Component: page.TranscriptPage })),
  },
  {
    path: 'supplements',
    lazy: () => import('./supplements/supplements.page.tsx').then((page) => ({ Component: page.SupplementsPage })),
  },
  {
    path: 'supplements/new',
    lazy: () =>
      import('./supplements/supplement-form.page.tsx').then((page) => ({ Component: page.SupplementFormPage })),
  },
  {
    path: 'supplements/:lisId',
    lazy: () => import('./supplements/supplement.page.tsx').then((page) => ({ Component: page.SupplementPage })),
  },
  {
    path: 'supplements/:lisId/edit',
    lazy: () =>
      import('./supplements/supplement-form.page.tsx').then((page) => ({ Component: page.SupplementFormPage })),
  },
  {
    path: 'notices',
    lazy: () => import('./notices/notices.page.tsx').then((page) => ({ Component: page.NoticesPage })),
  },
  { path: 'notices/ask', lazy: () => import('./notices/ask.page.tsx').then((page) => ({ Component: page.AskPage })) },
  {
    path: 'notices/:liId',
    lazy: () => import('./notices/noticed-people.page.tsx').then((page) => ({ Component: page.NoticedPeoplePage })),
  },
  {
    path: 'circles',
    lazy: () => import('./circles/circles.page.tsx').then((page) => ({ Component: page.CirclesPage })),
  },
  { path: 'messages', lazy: () => import('./me/messages.page.tsx').then((page) => ({ Component: page.MessagesPage })) },
  { path: 'news', lazy: () => import('./me/news.page.tsx').then((page) => ({ Component: page.NewsPage })) },
  { path: 'news/:niId', lazy: () => import('./me/news.page.tsx').then((page) => ({ Component: page.NewsItemPage })) },
  { path: 'me', lazy: () => import('./me/me.page.tsx').then((page) => ({ Component: page.MePage })) },
  {
    path: 'me/profile',
    lazy: () => import('./me/profile.page.tsx').then((page) => ({ Component: page.ProfilePage })),
  },
  {
    path: 'me/devices',
    lazy: () => import('./me/devices.page.tsx').then((page) => ({ Component: page.DevicesPage })),
  },
  {
    path: 'me/contact',
    lazy: () => import('./me/contact.page.tsx').then((page) => ({ Component: page.ContactPage })),
  },
  {
    path: 'me/message-preferences',
    lazy: () =>
      import('./me/message-preferences.page.tsx').then((page) => ({ Component: page.MessagePreferencesPage })),
  },
  {
    path: 'me/privacy',
    lazy: () => import('./me/privacy.page.tsx').then((page) => ({ Component: page.PrivacyPage })),
  },
  {
    path: 'me/second-factor',
    lazy: () => import('./me/second-factor.page.tsx').then((page) => ({ Component: page.SecondFactorPage })),
  },
  {
    path: 'me/password',
    lazy: () => import('./me/password.page.tsx').then((page) => ({ Component: page.PasswordPage })),
  },
]
