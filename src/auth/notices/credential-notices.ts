import { providerTitle, providerTitleFirst } from '../methods/sign-in-methods.js';
import { by, text, type Happened, type NoticeText } from './notice-text.js';

export function tokenMade({ event, service }: Happened): NoticeText {
  const { hint, scopes, kind } = event.details ?? {};
  return {
    subject: `An API token was made at ${service}`,
    paragraphs: [
      `An API token that begins with ${text(hint)} was made with your account at ${service}. It may: ${text(scopes)}.`,
      kind === 'service' ? SERVICE : 'Programs that have it can act in your name.',
    ],
  };
}

const SERVICE =
  'It is the token of a service: a new password or a lock-down of your account does not end it. An administrator can.';

export function tokenRotated({ event, service }: Happened): NoticeText {
  const { hint, scopes, kind } = event.details ?? {};
  return {
    subject: `An API token was replaced at ${service}`,
    paragraphs: [
      `The API token that begins with ${text(hint)} at ${service} was replaced by a new one${by(event)}; the old one works for another day at most. It may: ${text(scopes)}.`,
      kind === 'service' ? SERVICE : 'Programs that have it can act in your name.',
    ],
  };
}

export function identityLinked({ event, service }: Happened): NoticeText {
  const { provider = '' } = event;
  return {
    subject: `${providerTitleFirst(provider)} was linked to your account`,
    paragraphs: [`From now on you can sign in to ${service} with ${providerTitle(provider)}.`],
  };
}

export function identityUnlinked({ event, service }: Happened): NoticeText {
  const { provider = '' } = event;
  return {
    subject: `${providerTitleFirst(provider)} was unlinked from your account`,
    paragraphs: [
      `Signing in to ${service} with ${providerTitle(provider)} does not open your account any more${by(event)}.`,
    ],
  };
}
