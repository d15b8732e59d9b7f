declare module 'passport-apple' {
  import type { Request } from 'express';
  import OAuth2Strategy from 'passport-oauth2';

  interface AppleOptions {
    readonly clientID: string;
    readonly teamID: string;
    readonly keyID: string;
    readonly privateKeyString: string;
    readonly callbackURL: string;
    readonly authorizationURL: string;
    readonly tokenURL: string;
    readonly scope: string[];
    readonly pkce: true;
    readonly state: true;
    readonly store: OAuth2Strategy.StateStore;
    readonly passReqToCallback: true;
    readonly skipUserProfile: true;
  }

  type AppleVerify = (
    ...given: [
      request: Request,
      accessToken: string,
      refreshToken: string,
      idToken: string,
      profile: undefined,
      done: OAuth2Strategy.VerifyCallback,
    ]
  ) => void;

  export default class Strategy extends OAuth2Strategy {
    constructor(options: AppleOptions, verify: AppleVerify);
  }
}
