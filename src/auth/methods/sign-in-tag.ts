/** Where the API description groups what proves a user and keeps the session. */
export const SIGN_IN_TAG = 'Sign-in';
